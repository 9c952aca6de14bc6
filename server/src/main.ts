import { createServer } from 'node:net'
import { pino } from 'pino'
import manifest from '../../package.json' with { type: 'json' }
import { buildApp } from './app.ts'
import { compose } from './composers.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import type { Deps } from './deps.ts'
import { writeNotes } from './features/audit/audit.service.ts'
import { pruneTrail, tellCheckpoint } from './features/audit/trail.service.ts'
import { startDrawing } from './features/file/thumbnail.service.ts'
import { emptyTrash, removeOrphans } from './features/file/trash.service.ts'
import { sweepUploads } from './features/file/upload.service.ts'
import { sweepSessions } from './features/identity/identity.service.ts'
import { sweepResets } from './features/identity/reset.service.ts'
import { sweepReservations } from './features/link/link.service.ts'
import { startDelivery } from './features/outbox/delivery.service.ts'
import { sweepOutbox } from './features/outbox/outbox.service.ts'
import { sweepThrottle } from './features/throttle/throttle.service.ts'
import { createFirstAdmin } from './features/user/user.service.ts'
import { sweepVisits } from './features/visit/visit.service.ts'
import { listenForMetrics, type Metrics } from './http/metrics.ts'
import { openInstallation, openMailer } from './open.ts'
import { output, outputIsOut } from './output.ts'
import { StartError } from './start-error.ts'

const { version } = manifest
const drainSeconds = 30
const say = (text: string) => output.write(`${text}\n`)

// Whoever read our output may be gone; that is no reason to stop serving.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

/** environment → config → deps → app → listen. Whatever can fail does so before anything is made, or takes back what it made. */
async function start() {
  const config = readConfig(process.env)
  process.umask(0o077) // what we write is ours alone
  await checkPort(config)
  const { lock, undo, ...installation } = await openInstallation(config)
  try {
    const log = openLog(config)
    if (lock.state === 'unsupported')
      log.warn({ dataDir: config.dataDir }, 'the data folder cannot be locked: see to it that only one Neptune works with it')
    const deps = { config, ...installation, mailer: openMailer(config, log), log, now: () => new Date() }
    const app = buildApp(deps)
    await app.listen({ host: config.host, port: config.port }).catch(refuseListen(config))
    if (new URL(config.publicUrl).port === '0') config.publicUrl = app.listeningOrigin // nobody could say it before
    const metrics = await openMetrics(app.metrics, config)
    if (metrics) log.info({ url: metrics.url }, 'metrics have a port of their own')
    if (isOpenWithoutTls(config)) log.warn('PUBLIC_URL is http beyond this machine: passwords and files travel in clear')
    if (config.smtpUrl && /^http:\/\/(localhost|127\.|\[::1\])/.test(config.publicUrl))
      log.warn({ publicUrl: config.publicUrl }, 'mails carry links that open on this machine alone: set PUBLIC_URL')
    if (config.trustProxy.length > 0) log.info({ trustProxy: config.trustProxy }, 'believing X-Forwarded-For from these')

    const sweep = setInterval(() => void sweepAll(deps), 60_000)
    const tidy = setInterval(() => void tidyUp(deps), 60 * 60_000)
    const delivery = startDelivery(deps, compose)
    const drawing = config.hasThumbnails ? startDrawing(deps) : undefined
    void tidyUp(deps)
    stopOnSignal(async () => {
      clearInterval(sweep)
      clearInterval(tidy)
      // A connection kept alive is closed as soon as its answer is out; one that never ends is cut at last.
      const idle = setInterval(() => app.server.closeIdleConnections(), 50)
      const deadline = setTimeout(() => app.server.closeAllConnections(), drainSeconds * 1000)
      // A database that does not answer must not keep us; what it has acknowledged is safe.
      setTimeout(() => process.exit(0), (drainSeconds + 5) * 1000).unref()
      await app.close()
      clearInterval(idle)
      clearTimeout(deadline)
      await drawing?.stop()
      await delivery.stop()
      metrics?.close()
      await tellCheckpoint(deps).catch(() => undefined)
      await deps.db.destroy()
    })
    const isFirstStart = await createFirstAdmin(deps, (admin) => say(welcome(admin)))
    if (!isFirstStart && config.adminPassword)
      say('ADMIN_EMAIL and ADMIN_PASSWORD count on the first start only; they changed nothing.')
    await tellCheckpoint(deps)
    say(`Neptune ${version} is ready at ${config.publicUrl}`)
  } catch (error) {
    await undo()
    throw error
  }
}

/** Throws away what is over. One that fails does not keep the others from it. */
async function sweepAll(deps: Deps) {
  for (const sweep of [
    sweepThrottle,
    sweepSessions,
    sweepResets,
    sweepOutbox,
    sweepUploads,
    sweepVisits,
    sweepReservations,
    emptyTrash,
    writeNotes,
    tellCheckpoint,
    pruneTrail,
  ]) {
    await sweep(deps).catch((err: unknown) => deps.log.error({ err }, 'sweep failed'))
  }
}

/** Removes what a process that died left behind. */
const tidyUp = (deps: Deps) =>
  removeOrphans(deps).catch((err: unknown) => deps.log.error({ err }, 'bytes without a file could not be removed'))

/** One JSON object a line, with the level as a word. */
const openLog = ({ logLevel }: Config) =>
  pino(
    { level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: (level) => ({ level }) } },
    output,
  )

const isOpenWithoutTls = ({ publicUrl }: Config) => /^http:\/\/(?!localhost[:/]?|127\.|\[::1\])/.test(publicUrl)

/** Asked first, because a first run must not print a password for a server that then cannot listen. */
async function checkPort(config: Config) {
  if (config.port === 0) return
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject)
    probe.listen({ host: config.host, port: config.port, exclusive: true }, () => probe.close(() => resolve()))
  }).catch(refuseListen(config))
}

async function openMetrics(metrics: Metrics | undefined, { metricsHost: host, metricsPort: port, metricsToken: token }: Config) {
  if (!metrics || port === undefined) return undefined
  return listenForMetrics(metrics, { host, port, token }).catch(refuseListen({ host, port }, 'METRICS_PORT'))
}

function refuseListen({ host, port }: { host: string; port: number }, setting = 'PORT') {
  return (error: unknown): never => {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new StartError(`Port ${port} on ${host} is in use. Stop the other program or set ${setting} to another one.`)
    throw new StartError(`Cannot listen on ${host} port ${port} (${code}). Check HOST and ${setting}.`)
  }
}

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
  const isExpected = error instanceof StartError || error instanceof ConfigError
  process.stderr.write(`Neptune cannot start. ${isExpected ? error.message : (error?.stack ?? error)}\n`)
  await outputIsOut()
  process.exit(1)
})
