import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { BlobStore } from '../blobs/blob-store.ts'
import { openDiskBlobs } from '../blobs/disk/disk-store.ts'
import type { Config } from '../config.ts'
import { createUploadStates } from '../db/blob-uploads.ts'
import { type Db, isSqlite, openDatabase, ping } from '../db/database.ts'
import { readInstallationValue } from '../db/installation.ts'
import { migrate } from '../db/migrate.ts'
import type { Deps } from '../deps.ts'
import type { Keys } from '../lib/secrets.ts'
import { saveAsFile } from '../mail/file-mailer.ts'
import type { Mailer } from '../mail/mailer.ts'
import { sendBySmtp } from '../mail/smtp-mailer.ts'
import { openDataDir } from './data-dir.ts'
import { type DataLock, lockDataDir } from './data-lock.ts'
import { openKeys, readKeyFile } from './secret-key.ts'
import { StartError } from './start-error.ts'
import { claimStore } from './store-id.ts'

export interface Installation {
  lock: DataLock
  db: Db
  keys: Keys
  blobs: BlobStore
  /** Closes everything and removes what opening created, for a start that fails later. */
  undo(): Promise<void>
}

/** Opens everything the server needs: data folder → lock → database, migrated → keys → blobs. Undoes the earlier steps when one fails. */
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
    if (lock.state === 'taken') throw new StartError(formatInUseMessage(config))
    if (existsSync(getRestoreMarkPath(config)))
      throw new StartError(
        `A restore into ${config.dataDir} was not finished. Run it again, or empty the folder and the database to start over.`,
      )
    readKeyFile(config)
    db = await connect(config)
    await migrateDatabase(config, db)
    if ((await readInstallationValue(db, 'moving')) !== undefined)
      throw new StartError(
        `The move into ${describeDatabase(config)} was not finished. Run neptune migrate-to with --finish on the old installation, or empty the database to start over.`,
      )
    const moved = await readInstallationValue(db, 'moved')
    if (moved !== undefined) throw new StartError(describeMove(moved))
    // A first start claims the store before it creates the key, so that a rejected store leaves no key behind. Later starts check the key first.
    const existingKeys = (await readInstallationValue(db, 'key_check')) === undefined ? undefined : await openKeys(config, db)
    await claimStore(config, db)
    const keys = existingKeys ?? (await openKeys(config, db))
    const blobs = await openBlobs(config, db)
    return { lock, db, keys, blobs, undo }
  } catch (error) {
    await undo()
    throw error
  }
}

const formatInUseMessage = ({ dataDir }: Config) =>
  `The data folder ${dataDir} is in use by another Neptune, a repair or a restore. Stop it, or set DATA_DIR to another folder.`

/** Explains the `moved` record of `neptune migrate-to --finish`, which holds the time and the destination. */
export function describeMove(moved: string): string {
  const [at = '', ...destination] = moved.split(' ')
  return `Everything here was moved to ${destination.join(' ')} on ${at.slice(0, 10)}. Start Neptune there. To use this installation again, without the changes made there since, run neptune migrate-to --undo.`
}

/** Returns the path of the file that exists while a restore is unfinished. */
export const getRestoreMarkPath = ({ dataDir }: Config) => join(dataDir, 'restore.unfinished')

/** Opens the database and checks that it responds. `hasNoTimeouts` is for long-running work such as migrations. */
export async function connect(config: Config, { hasNoTimeouts = false } = {}): Promise<Db> {
  let db: Db | undefined
  try {
    db = await openDatabase(config.databaseUrl, { poolSize: config.databasePool, hasNoTimeouts })
    await ping(db)
    return db
  } catch (error) {
    await db?.destroy()
    throw new StartError(
      `The database ${describeDatabase(config)} cannot be opened: ${describeError(error)}. Check that it is running and that DATABASE_URL is correct.`,
    )
  }
}

async function migrateDatabase(config: Config, db: Db) {
  // PostgreSQL needs a connection without timeouts: a large table, or another node that is migrating, can take long.
  const migrationDb = isSqlite(db) ? db : await connect(config, { hasNoTimeouts: true })
  try {
    await migrate(migrationDb)
  } catch (error) {
    if (/previously executed migration .* is missing/.test(describeError(error)))
      throw new StartError(formatNewerDatabaseMessage(config))
    throw new StartError(
      `The database ${describeDatabase(config)} could not be migrated: ${describeError(error)}. Nothing was changed.`,
    )
  } finally {
    if (migrationDb !== db) await migrationDb.destroy()
  }
}

export const formatNewerDatabaseMessage = (config: Config) =>
  `The database ${describeDatabase(config)} was written by a newer Neptune. Start that version, or restore a backup made before it.`

export async function openBlobs({ dataDir, s3 }: Config, db: Db, states = createUploadStates(db)): Promise<BlobStore> {
  try {
    if (s3) {
      const { openS3Blobs } = await import('../blobs/s3/s3-store.ts') // loaded only when needed
      return await openS3Blobs(s3, { states, spoolDir: join(dataDir, 'tmp') })
    }
    return await openDiskBlobs(dataDir)
  } catch (error) {
    throw new StartError((error as Error).message)
  }
}

export function openMailer({ dataDir }: Config, log: Deps['log']): Mailer {
  return {
    async send(message, server, confirmClaim) {
      if (server) return sendBySmtp(server, message, confirmClaim)
      const file = await saveAsFile(join(dataDir, 'outbox'), message, confirmClaim)
      log.info({ file }, 'there is no mail server: the email was written to a file')
    },
  }
}

/** Returns the location of the database without its password. A Unix socket is shown as its folder. */
export function describeDatabase({ databaseUrl }: Config) {
  if (databaseUrl.startsWith('sqlite:')) return databaseUrl.slice('sqlite:'.length)
  // PostgreSQL allows an empty host after the user name if `?host=` is set; the URL parser does not.
  const url = URL.parse(databaseUrl.replace(/^(\w+:\/\/)[^/?#]*@(?=[/?])/, '$1'))
  if (!url) return 'in DATABASE_URL'
  const host = url.searchParams.get('host') ?? url.hostname.replaceAll(/%2f/gi, '/')
  const port = url.searchParams.get('port') ?? url.port
  return `${host}${port && `:${port}`}${url.pathname}`
}

/** Returns the location of the files. */
export const describeStore = ({ s3, dataDir }: Config) => (s3 ? `the bucket ${s3.bucket} at ${s3.endpoint}` : dataDir)

export function describeError(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describeError).join(', ')
  return error instanceof Error ? error.message : String(error)
}
