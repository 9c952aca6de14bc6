import { createServer } from 'node:net'
import { join } from 'node:path'
import { pino } from 'pino'
import manifest from '../../package.json' with { type: 'json' }
import { buildApp } from './app.ts'
import type { BlobStore } from './blobs/blob-store.ts'
import { openDiskBlobs } from './blobs/disk.ts'
import { compose } from './composers.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { openDataDir } from './data-dir.ts'
import { type Db, openDatabase, ping } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import type { Deps } from './deps.ts'
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
import { fileMailer } from './mail/files.ts'
import type { Mailer } from './mail/mailer.ts'
import { smtpMailer } from './mail/smtp.ts'
import { openKeys, readKeyFile } from './secret-key.ts'
import { StartError } from './start-error.ts'

const { version } = manifest
const drainSeconds = 30
const say = (text: string) => process.stdout.write(`${text}\n`)

// Whoever read our output may be gone; that is no reason to stop serving.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

/** environment → config → deps → app → listen. Whatever can fail does so before anything is made, or takes back what it made. */
async function start() {
  const config = readConfig(process.env)
  process.umask(0o077) // what we write is ours alone
  await checkPort(config)
  const undo = openDataDir(config.dataDir)
  let db: Db | undefined
  try {
    readKeyFile(config)
    db = await connect(config)
    const keys = await openKeys(config, db)
    const log = openLog(config)
    const blobs = await openBlobs(config)
    const deps = { config, keys, db, blobs, mailer: openMailer(config, log), log, now: () => new Date() }
    const app = buildApp(deps)
    await app.listen({ host: config.host, port: config.port }).catch(refuseListen(config))
    if (new URL(config.publicUrl).port === '0') config.publicUrl = app.listeningOrigin // nobody could say it before
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
      await deps.db.destroy()
    })
    const isFirstStart = await createFirstAdmin(deps, (admin) => say(welcome(admin)))
    if (!isFirstStart && config.adminPassword)
      say('ADMIN_EMAIL and ADMIN_PASSWORD count on the first start only; they changed nothing.')
    say(`Neptune ${version} is ready at ${config.publicUrl}`)
  } catch (error) {
    await db?.destroy()
    undo()
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
  ]) {
    await sweep(deps).catch((err: unknown) => deps.log.error({ err }, 'sweep failed'))
  }
}

/** Removes what a process that died left behind. */
const tidyUp = (deps: Deps) =>
  removeOrphans(deps).catch((err: unknown) => deps.log.error({ err }, 'bytes without a file could not be removed'))

async function openBlobs({ dataDir }: Config): Promise<BlobStore> {
  try {
    return await openDiskBlobs(dataDir)
  } catch (error) {
    throw new StartError((error as Error).message)
  }
}

function openMailer({ smtpUrl, dataDir }: Config, log: Deps['log']): Mailer {
  if (smtpUrl) return smtpMailer(smtpUrl)
  return fileMailer(join(dataDir, 'outbox'), (file) => log.info({ file }, 'SMTP_URL is not set: a mail was written to a file'))
}

/** One JSON object a line, with the level as a word. */
const openLog = ({ logLevel }: Config) =>
  pino({ level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: (level) => ({ level }) } })

const isOpenWithoutTls = ({ publicUrl }: Config) => /^http:\/\/(?!localhost[:/]?|127\.|\[::1\])/.test(publicUrl)

async function connect(config: Config): Promise<Db> {
  const where = config.databaseUrl.startsWith('sqlite:')
    ? config.databaseUrl.slice('sqlite:'.length)
    : withoutPassword(config.databaseUrl)
  let db: Db | undefined
  try {
    db = openDatabase(config.databaseUrl)
    await ping(db)
  } catch (error) {
    await db?.destroy()
    throw new StartError(
      `The database ${where} cannot be opened: ${reasonOf(error)}. Check that it runs and that DATABASE_URL is right.`,
    )
  }
  try {
    await migrate(db)
    return db
  } catch (error) {
    await db.destroy()
    if (/previously executed migration .* is missing/.test(reasonOf(error))) {
      throw new StartError(
        `The database ${where} was written by a newer Neptune. Start that version, or restore a backup made before it.`,
      )
    }
    throw new StartError(`The database ${where} could not be brought up to date: ${reasonOf(error)}. Nothing was changed.`)
  }
}

/** Asked first, because a first run must not print a password for a server that then cannot listen. */
async function checkPort(config: Config) {
  if (config.port === 0) return
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject)
    probe.listen({ host: config.host, port: config.port, exclusive: true }, () => probe.close(() => resolve()))
  }).catch(refuseListen(config))
}

function refuseListen({ host, port }: Config) {
  return (error: unknown): never => {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new StartError(`Port ${port} on ${host} is in use. Stop the other program or set PORT to another one.`)
    throw new StartError(`Cannot listen on ${host} port ${port} (${code}). Check HOST and PORT.`)
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
      stop().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    })
  }
}

const welcome = ({ email, password, isOwn }: { email: string; password: string; isOwn: boolean }) => `
  Sign in as   ${email}
  Password     ${isOwn ? 'the one you set as ADMIN_PASSWORD' : `${password}   (shown once: keep it safe)`}
`

function withoutPassword(url: string) {
  if (!URL.canParse(url)) return 'given by DATABASE_URL'
  const { hostname, port, pathname } = new URL(url)
  return `${hostname}${port && `:${port}`}${pathname}`
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}

await start().catch((error) => {
  const isExpected = error instanceof StartError || error instanceof ConfigError
  process.stderr.write(`Neptune cannot start. ${isExpected ? error.message : (error?.stack ?? error)}\n`)
  process.exit(1)
})
