import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { BlobStore } from './blobs/blob-store.ts'
import { openDiskBlobs } from './blobs/disk.ts'
import type { Config } from './config.ts'
import { openDataDir } from './data-dir.ts'
import { type DataLock, lockDataDir } from './data-lock.ts'
import { blobUploads } from './db/blob-uploads.ts'
import { type Db, isSqlite, openDatabase, ping } from './db/database.ts'
import { findFact } from './db/installation.ts'
import { migrate } from './db/migrate.ts'
import type { Deps } from './deps.ts'
import type { Keys } from './lib/secrets.ts'
import { fileMailer } from './mail/files.ts'
import type { Mailer } from './mail/mailer.ts'
import { smtpMailer } from './mail/smtp.ts'
import { openKeys, readKeyFile } from './secret-key.ts'
import { StartError } from './start-error.ts'
import { claimStore } from './store-id.ts'

export interface Installation {
  lock: DataLock
  db: Db
  keys: Keys
  blobs: BlobStore
  /** Takes back what opening made, for a start that fails later on. */
  undo(): Promise<void>
}

/** For the server: data folder → lock → database, brought up to date → keys → bytes. What fails half-way takes back what it made. */
export async function openInstallation(config: Config): Promise<Installation> {
  const removeFolders = openDataDir(config.dataDir)
  const isNew = !existsSync(join(config.dataDir, 'neptune.lock'))
  const lock = await lockDataDir(config.dataDir)
  let db: Db | undefined
  const undo = async () => {
    await db?.destroy()
    if (isNew) lock.remove()
    lock.release()
    removeFolders()
  }
  try {
    if (lock.state === 'taken') throw new StartError(inUse(config))
    if (existsSync(restoreMark(config)))
      throw new StartError(
        `A restore into ${config.dataDir} was not finished. Run it again, or empty the folder and the database to begin anew.`,
      )
    readKeyFile(config)
    db = await connect(config)
    await bringUpToDate(config, db)
    if ((await findFact(db, 'moving')) !== undefined)
      throw new StartError(
        `The move into ${whereIs(config)} was not finished. Run neptune migrate-to with --finish where it comes from, or empty the database to begin anew.`,
      )
    const moved = await findFact(db, 'moved')
    if (moved !== undefined) throw new StartError(movedInWords(moved))
    // A first start makes a key only when nothing else is in its way; later ones are told of a wrong key before anything else.
    const known = (await findFact(db, 'key_check')) === undefined ? undefined : await openKeys(config, db)
    await claimStore(config, db)
    const keys = known ?? (await openKeys(config, db))
    const blobs = await openBlobs(config, db)
    return { lock, db, keys, blobs, undo }
  } catch (error) {
    await undo()
    throw error
  }
}

const inUse = ({ dataDir }: Config) =>
  `Another Neptune works with the data folder ${dataDir}, or a repair or a restore does. Stop it, or set DATA_DIR to another folder.`

/** What `neptune migrate-to --finish` has noted: when, and where to. */
export function movedInWords(moved: string): string {
  const [at = '', ...place] = moved.split(' ')
  return `Everything here was moved to ${place.join(' ')} on ${at.slice(0, 10)}: start Neptune there, or, to go on here without what was done there since, run neptune migrate-to --undo.`
}

/** Stands in the data folder from the first byte of a restore until its last. */
export const restoreMark = ({ dataDir }: Config) => join(dataDir, 'restore.unfinished')

/** `isPatient` is for work that takes as long as it takes. */
export async function connect(config: Config, { isPatient = false } = {}): Promise<Db> {
  let db: Db | undefined
  try {
    db = await openDatabase(config.databaseUrl, { poolSize: config.databasePool, isPatient })
    await ping(db)
    return db
  } catch (error) {
    await db?.destroy()
    throw new StartError(
      `The database ${whereIs(config)} cannot be opened: ${reasonOf(error)}. Check that it runs and that DATABASE_URL is right.`,
    )
  }
}

async function bringUpToDate(config: Config, db: Db) {
  // On PostgreSQL apart: changing a large table takes as long as it takes, and so does waiting for another node that is at it.
  const patient = isSqlite(db) ? db : await connect(config, { isPatient: true })
  try {
    await migrate(patient)
  } catch (error) {
    if (/previously executed migration .* is missing/.test(reasonOf(error))) throw new StartError(newerDatabase(config))
    throw new StartError(
      `The database ${whereIs(config)} could not be brought up to date: ${reasonOf(error)}. Nothing was changed.`,
    )
  } finally {
    if (patient !== db) await patient.destroy()
  }
}

export const newerDatabase = (config: Config) =>
  `The database ${whereIs(config)} was written by a newer Neptune. Start that version, or restore a backup made before it.`

export async function openBlobs({ dataDir, s3 }: Config, db: Db, states = blobUploads(db)): Promise<BlobStore> {
  try {
    if (s3) {
      const { openS3Blobs } = await import('./blobs/s3.ts') // loaded only where it is wanted
      return await openS3Blobs(s3, { states, spoolDir: join(dataDir, 'tmp') })
    }
    return await openDiskBlobs(dataDir)
  } catch (error) {
    throw new StartError((error as Error).message)
  }
}

export function openMailer({ smtpUrl, dataDir }: Config, log: Deps['log']): Mailer {
  if (smtpUrl) return smtpMailer(smtpUrl)
  return fileMailer(join(dataDir, 'outbox'), (file) => log.info({ file }, 'SMTP_URL is not set: a mail was written to a file'))
}

/** The database in words, without its password. A socket is named by its folder. */
export function whereIs({ databaseUrl }: Config) {
  if (databaseUrl.startsWith('sqlite:')) return databaseUrl.slice('sqlite:'.length)
  // PostgreSQL lets the host be left out after a name, where it comes later; addresses of the web do not.
  const url = URL.parse(databaseUrl.replace(/^(\w+:\/\/)[^/?#]*@(?=[/?])/, '$1'))
  if (!url) return 'given by DATABASE_URL'
  const host = url.searchParams.get('host') ?? url.hostname.replaceAll(/%2f/gi, '/')
  const port = url.searchParams.get('port') ?? url.port
  return `${host}${port && `:${port}`}${url.pathname}`
}

export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
