import { pino } from 'pino'
import manifest from '../../package.json' with { type: 'json' }
import { refuseOtherVersion } from './commands/open.ts'
import { type Config, readConfig } from './config.ts'
import type { Deps } from './deps.ts'
import { tellCheckpoint } from './features/audit/trail.service.ts'
import { createFirstAdmin } from './features/user/user.service.ts'
import { listenForMetrics } from './http/metrics.ts'
import { checkPort, refuseListen } from './listen.ts'
import { connect, openBlobs, openInstallation, openMailer } from './open.ts'
import { output, outputIsOut } from './output.ts'
import { openKeys } from './secret-key.ts'
import { startServing } from './serving.ts'
import { whyNot } from './start-error.ts'
import { refuseOtherStore } from './store-id.ts'

const { version } = manifest
const say = (text: string) => output.write(`${text}\n`)

// Whoever read our output may be gone; that is no reason to stop serving.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

/** environment → config → deps → app → listen. Whatever can fail does so before anything is made, or takes back what it made. */
async function start() {
  const config = readConfig(process.env)
  process.umask(0o077) // what we write is ours alone
  const workers = config.workers > 1 ? await import('./workers.ts') : undefined // loaded only where they are wanted
  if (workers && (await beWorker(config))) return
  await checkPort(config, { patience: workers ? 2_000 : 0 })
  const { metricsHost: host, metricsPort: port } = config
  if (port !== undefined) await checkPort({ host, port }, { setting: 'METRICS_PORT' })
  const { lock, undo, ...installation } = await openInstallation(config)
  try {
    const log = openLog(config)
    if (lock.state === 'unsupported')
      log.warn({ dataDir: config.dataDir }, 'the data folder cannot be locked: see to it that only one Neptune works with it')
    const deps = { config, ...installation, mailer: openMailer(config, log), log, now: () => new Date() }
    // Before anybody can ask: a right password is never refused.
    const isFirstStart = await createFirstAdmin(deps, (admin) => say(welcome(admin)))
    warnOf(deps)
    await tellCheckpoint(deps)
    if (workers) await deps.db.destroy() // each has its own
    const serving = workers ? await workers.startWorkers(config, log) : await serveAlone(deps)
    if (serving.metricsUrl) log.info({ url: serving.metricsUrl }, 'metrics have a port of their own')
    stopOnSignal(serving.stop)
    if (!isFirstStart && config.adminPassword)
      say('ADMIN_EMAIL and ADMIN_PASSWORD count on the first start only; they changed nothing.')
    say(`Neptune ${version} is ready at ${serving.url}`)
  } catch (error) {
    await undo()
    throw error
  }
}

async function serveAlone(deps: Deps) {
  const { url, metrics, stop } = await startServing(deps, { isFirst: true })
  const { metricsHost: host, metricsPort: port, metricsToken: token } = deps.config
  const listening =
    metrics && port !== undefined
      ? await listenForMetrics(metrics, { host, port, token }).catch(refuseListen({ host, port }, 'METRICS_PORT'))
      : undefined
  // Unheard, it would end us.
  process.on('SIGUSR2', () => deps.log.warn('there are no workers to replace: set WORKERS, or restart'))
  return {
    url,
    metricsUrl: listening?.url,
    async stop() {
      await stop()
      listening?.close()
    },
  }
}

/** True in a process that another one made to serve. */
async function beWorker(config: Config): Promise<boolean> {
  const { serveAsTold, workerNumber } = await import('./worker.ts')
  const number = workerNumber()
  if (number !== undefined) await serveAsTold(() => serveAsWorker(config, number))
  return number !== undefined
}

/** The first process has the lock, and has brought the database up to date. */
async function serveAsWorker(config: Config, number: number) {
  const log = openLog(config, number)
  const db = await connect(config)
  await refuseOtherVersion(config, db)
  await refuseOtherStore(config, db)
  const keys = await openKeys(config, db)
  const blobs = await openBlobs(config, db)
  const deps = { config, keys, db, blobs, mailer: openMailer(config, log), log, now: () => new Date() }
  return startServing(deps, { isFirst: number === 1 })
}

function warnOf({ config, log }: Deps) {
  if (/^http:\/\/(?!localhost[:/]?|127\.|\[::1\])/.test(config.publicUrl))
    log.warn('PUBLIC_URL is http beyond this machine: passwords and files travel in clear')
  if (config.smtpUrl && /^http:\/\/(localhost|127\.|\[::1\])/.test(config.publicUrl))
    log.warn({ publicUrl: config.publicUrl }, 'mails carry links that open on this machine alone: set PUBLIC_URL')
  if (config.trustProxy.length > 0) log.info({ trustProxy: config.trustProxy }, 'believing X-Forwarded-For from these')
}

/** One JSON object a line, with the level as a word, and the number of the worker if there are several. */
const openLog = ({ logLevel }: Config, worker?: number) =>
  pino(
    {
      level: logLevel,
      base: worker === undefined ? null : { worker },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    output,
  )

function stopOnSignal(stop: () => Promise<void>) {
  let askedAt: number | undefined
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // Asked again: somebody is in a hurry. Within a second it is the same Ctrl-C, passed on by npm as well.
      if (askedAt !== undefined && performance.now() - askedAt > 1000) process.exit(1)
      if (askedAt !== undefined) return
      askedAt = performance.now()
      say('Neptune is stopping: finishing what is in flight.')
      void stop()
        .then(
          () => 0,
          () => 1,
        )
        .then((code) => outputIsOut().then(() => process.exit(code)))
    })
  }
}

const welcome = ({ email, password, isOwn }: { email: string; password: string; isOwn: boolean }) => `
  Sign in as   ${email}
  Password     ${isOwn ? 'the one you set as ADMIN_PASSWORD' : `${password}   (shown once: keep it safe)`}
`

await start().catch(async (error) => {
  process.stderr.write(`Neptune cannot start. ${whyNot(error)}\n`)
  await outputIsOut()
  process.exit(1)
})
