import { pino } from 'pino'
import manifest from '../../package.json' with { type: 'json' }
import { type Config, readConfig } from './config.ts'
import type { Deps } from './deps.ts'
import { logCheckpoint } from './features/audit/verify-audit.service.ts'
import { logPasskeyWarnings } from './features/passkey/passkey.service.ts'
import { createFirstAdmin, type FirstAdmin } from './features/user/user.service.ts'
import { connect, openBlobs, openInstallation, openMailer } from './installation/open-installation.ts'
import { assertSchemaVersion } from './installation/schema-version.ts'
import { openKeys } from './installation/secret-key.ts'
import { describeStartError } from './installation/start-error.ts'
import { assertSameStore } from './installation/store-id.ts'
import { listenForMetrics } from './metrics/metrics.ts'
import { checkPort, createListenErrorHandler } from './process/listen.ts'
import { flushOutput, output } from './process/log-output.ts'
import { startServing } from './process/serving.ts'

const { version } = manifest
const print = (text: string) => output.write(`${text}\n`)

// The server keeps running when the reader of its output goes away.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

/** Starts the server: environment → config → deps → app → listen. If a step fails, undoes the earlier ones. */
async function start() {
  const config = readConfig(process.env)
  process.umask(0o077) // only our user may read the files we create
  const workers = config.workers > 1 ? await import('./process/workers.ts') : undefined // loaded only when needed
  if (workers && (await runIfWorker(config))) return
  await checkPort(config, { timeoutMs: workers ? 2_000 : 0 })
  const { metricsHost: host, metricsPort: port } = config
  if (port !== undefined) await checkPort({ host, port }, { setting: 'METRICS_PORT' })
  const { lock, undo, ...installation } = await openInstallation(config)
  try {
    const log = openLog(config)
    if (lock.state === 'unsupported')
      log.warn({ dataDir: config.dataDir }, 'the data folder cannot be locked: make sure that no other server uses it')
    const deps = { config, ...installation, mailer: openMailer(config, log), log, now: () => new Date() }
    // Before listening, so that the printed password works from the first request.
    const isFirstStart = await createFirstAdmin(deps, (admin) => print(formatWelcome(admin)))
    logConfigWarnings(deps)
    await logPasskeyWarnings(deps)
    await logCheckpoint(deps)
    if (workers) await deps.db.destroy() // every worker opens its own connections
    const serving = workers ? await workers.startWorkers(config, log) : await serveInThisProcess(deps)
    if (serving.metricsUrl) log.info({ url: serving.metricsUrl }, 'serving metrics on a separate port')
    stopOnSignal(serving.stop)
    if (!isFirstStart && config.adminPassword)
      print('ADMIN_EMAIL and ADMIN_PASSWORD apply only to the first start; nothing was changed.')
    print(`Neptune ${version} is ready at ${serving.url}`)
  } catch (error) {
    await undo()
    throw error
  }
}

async function serveInThisProcess(deps: Deps) {
  const { url, metrics, stop } = await startServing(deps, { hasBackgroundTasks: true })
  const { metricsHost: host, metricsPort: port, metricsToken: token } = deps.config
  const metricsListener =
    metrics && port !== undefined
      ? await listenForMetrics(metrics, { host, port, token }).catch(createListenErrorHandler({ host, port }, 'METRICS_PORT'))
      : undefined
  // Without a handler, SIGUSR2 would end the process.
  process.on('SIGUSR2', () => deps.log.warn('no workers to replace: set WORKERS, or restart'))
  return {
    url,
    metricsUrl: metricsListener?.url,
    async stop() {
      await stop()
      metricsListener?.close()
    },
  }
}

/** Serves as a worker if the primary process forked this process. Returns false otherwise. */
async function runIfWorker(config: Config): Promise<boolean> {
  const { runWorker, getWorkerNumber } = await import('./process/worker.ts')
  const number = getWorkerNumber()
  if (number !== undefined) await runWorker(() => serveAsWorker(config, number))
  return number !== undefined
}

/** Starts serving in a worker. The primary process holds the data lock and has migrated the database. */
async function serveAsWorker(config: Config, number: number) {
  const log = openLog(config, number)
  const db = await connect(config)
  await assertSchemaVersion(config, db)
  await assertSameStore(config, db)
  const keys = await openKeys(config, db)
  const blobs = await openBlobs(config, db)
  const deps = { config, keys, db, blobs, mailer: openMailer(config, log), log, now: () => new Date() }
  return startServing(deps, { hasBackgroundTasks: number === 1 })
}

function logConfigWarnings({ config, log }: Deps) {
  if (/^http:\/\/(?!localhost[:/]?|127\.|\[::1\])/.test(config.publicUrl))
    log.warn('PUBLIC_URL uses http: passwords and files are sent unencrypted')
  if (config.smtpServer && /^http:\/\/(localhost|127\.|\[::1\])/.test(config.publicUrl))
    log.warn({ publicUrl: config.publicUrl }, 'links in emails open only on this machine: set PUBLIC_URL')
  if (config.trustProxy.length > 0) log.info({ trustProxy: config.trustProxy }, 'trusting X-Forwarded-For from these addresses')
}

/** Creates the logger, which writes one JSON object per line, with the level as a word. A worker adds its number. */
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
  let signalledAt: number | undefined
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // A second signal exits at once. One that comes within a second is ignored: npm forwards Ctrl-C, so it can arrive twice.
      if (signalledAt !== undefined && performance.now() - signalledAt > 1000) process.exit(1)
      if (signalledAt !== undefined) return
      signalledAt = performance.now()
      print('Neptune is stopping: finishing the requests in progress.')
      void stop()
        .then(
          () => 0,
          () => 1,
        )
        .then((code) => flushOutput().then(() => process.exit(code)))
    })
  }
}

const formatWelcome = ({ email, password, isChosen }: FirstAdmin) => `
  Sign in as   ${email}
  Password     ${isChosen ? 'the one you set as ADMIN_PASSWORD' : `${password}   (shown once: keep it safe)`}
`

await start().catch(async (error) => {
  process.stderr.write(`Neptune cannot start. ${describeStartError(error)}\n`)
  await flushOutput()
  process.exit(1)
})
