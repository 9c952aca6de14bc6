import { type FileHandle, rm } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pino } from 'pino'
import { BlobError, type BlobStore, type StoredBlob } from '../blobs/blob-store.ts'
import { syncFolder } from '../blobs/disk/files.ts'
import { splitIntoBatches } from '../blobs/sweep.ts'
import { type Config, readConfig } from '../config.ts'
import {
  clearTable,
  countExpectedBytes,
  type ExpectedBytes,
  findExpectedBytes,
  finishRestore,
  hasVersionTables,
  insertIntoTable,
  isEmptyDatabase,
  listTables,
  markLost,
  setRestored,
} from '../db/dump.ts'
import { insertInstallationValue, readInstallationValue } from '../db/installation.ts'
import { listMigrations, migrate, migrateTo } from '../db/migrate.ts'
import type { Deps } from '../deps.ts'
import { record } from '../features/audit/audit.service.ts'
import { openDataDir } from '../installation/data-dir.ts'
import { tryLock } from '../installation/data-lock.ts'
import { connect, describeDatabase, getRestoreMarkPath, openBlobs, openMailer } from '../installation/open-installation.ts'
import { assertBucketNotForeign, claimBucketAs } from '../installation/store-id.ts'
import { isSameSecret, type Keys } from '../lib/secrets.ts'
import { type End, type Manifest, signBackup } from './archive/manifest.ts'
import { type Backup, isBlob, openBackup, openBackupKeys, readBackup } from './archive/read-backup.ts'
import { readChunks, readEntries, readEntry, type TarEntry } from './archive/tar.ts'
import { parseRows } from './backup.ts'
import { createMark, type Mark, readMark, setMark } from './restore-mark.ts'
import { type Command, CommandError, createProgressLine, formatCount, formatSize } from './terminal.ts'

export const restore: Command = {
  usage: 'FILE',
  summary: 'Restores a backup into an empty data folder or bucket and an empty database',
  details: `
DATA_DIR, DATABASE_URL and the S3 settings say where to restore, as for npm start. The database and the store may be of another kind than
those of the backup. The secret key must be there first: put secret.key into DATA_DIR, or set SECRET_KEY. Nothing is written until all of
this is checked.

Every file is compared with its SHA-256. One that does not match is listed and marked as damaged, and the exit code is 1. An
interrupted restore can be run again with the same settings; until it is complete, Neptune does not start there. Emails that were
waiting are not sent automatically: see Email in the user menu.`,
  positionals: ['FILE'],
  options: {},
  async run({ positionals: [name = ''], workingDirectory, print }) {
    const config = readConfig(process.env)
    const path = resolve(workingDirectory, name)
    await using file = await openBackup(path)
    const { manifest, end, rows } = await readBackup(path, file)
    const keys = openBackupKeys(config, manifest)
    if (!isSameSecret(end.mac, signBackup(keys, manifest, end)))
      throw new CommandError(
        `${path} was changed after it was created. It cannot be restored, because its content cannot be trusted.`,
      )
    const removeFolders = openDataDir(config.dataDir)
    const lock = tryLock(config.dataDir)
    let db: Deps['db'] | undefined
    try {
      if (lock.state === 'taken')
        throw new CommandError(`Neptune is running with the data folder ${config.dataDir}. Stop it first.`)
      const existingMark = readMark(config)
      const mark = existingMark ?? createMark(config)
      db = await connect(config, { hasNoTimeouts: true })
      await assertBucketNotForeign(config, mark.id)
      const store = await openBlobs(config, db, noUploadStates)
      const target: RestoreTarget = { config, db, store, mark, isResumed: existingMark !== undefined }
      const isComplete = await isAlreadyRestored(target, end)
      if (!isComplete) await assertEmpty(target, manifest)
      if (!existingMark) await setMark(config, mark)
      const lost = isComplete ? [] : await restoreData(target, file, { manifest, end, rows })
      await completeRestore(target, keys, path, manifest)
      for (const line of lost) print(`damaged ${line}`)
      print(
        `Restored ${formatCount(end.blobs, 'blob')} (${formatSize(end.bytes)}) and ${formatCount(end.rows, 'row')} as of ${manifest.created_at}.`,
      )
      print('Start Neptune with the same settings. Everyone has to sign in again.')
      return lost.length > 0 ? 1 : 0
    } catch (error) {
      const isFull = error instanceof BlobError && error.fault === 'no_space'
      throw isFull ? new CommandError(`There is no space left in ${config.dataDir}. Free up space and run it again.`) : error
    } finally {
      await db?.destroy()
      lock.release()
      removeFolders()
    }
  },
}

interface RestoreTarget {
  config: Config
  db: Deps['db']
  store: BlobStore
  mark: Mark
  /** Whether an earlier run with the same destination was interrupted. */
  isResumed: boolean
}

/** A replacement for blob-uploads.ts. The database is empty, and the schema of an old backup does not have the table. */
const noUploadStates = {
  create: async () => undefined,
  find: async () => undefined,
  save: async () => false,
  remove: async () => undefined,
  list: async () => [],
}

/** Returns whether an earlier run restored everything and was interrupted just before its end. */
async function isAlreadyRestored({ db, isResumed }: RestoreTarget, { rows_sha256 }: End): Promise<boolean> {
  if (!isResumed || !(await listTables(db)).has('installation')) return false
  return (await readInstallationValue(db, 'restored')) === rows_sha256
}

/** Throws unless the database and the store are empty. Removes what an interrupted run left in the store. */
async function assertEmpty({ config, db, store, mark, isResumed }: RestoreTarget, { migration }: Manifest) {
  if (!(await isEmptyDatabase(db)))
    throw new CommandError(
      `The database ${describeDatabase(config)} is not empty. A restore needs an empty database and never overwrites data.`,
    )
  if ((await listMigrations(db)).some((name) => name > migration))
    throw new CommandError(
      `The database ${describeDatabase(config)} has tables of a newer version than the backup. Use a database without tables.`,
    )
  for (const [ids, remove] of [[store.listBlobs(), store.remove] as const, [store.listUploads(), store.discard] as const]) {
    for await (const id of ids) {
      if (!isResumed)
        throw new CommandError(
          `${mark.store.replace(/^the/, 'The')} contains files. A restore needs an empty store and never overwrites data.`,
        )
      await remove(id) // left by an interrupted run: no row refers to it
    }
  }
}

/** Restores the blobs and the rows. The rows are committed only when all blobs are stored. Returns descriptions of damaged files. */
async function restoreData(target: RestoreTarget, file: FileHandle, { manifest, end, rows }: Backup): Promise<string[]> {
  const { config, db, store, mark } = target
  const claimed = await claimBucketAs(config, mark.id)
  await migrateTo(db, manifest.migration)
  const progress = createProgressLine()
  const lost: string[] = []
  await db.transaction().execute(async (trx) => {
    const now = new Date().toISOString()
    await restoreRows(trx, file, rows)
    const hasVersions = await hasVersionTables(trx)
    let found = 0
    let restored = 0
    const missing = new Set(end.damaged)
    const report = async (id: string, expected: ExpectedBytes[], problem: string) => {
      await markLost(trx, id, now, hasVersions)
      for (const { name } of expected) lost.push(`${JSON.stringify(name)} (${id}): ${problem}`)
    }
    for await (const batch of splitIntoBatches(readBlobEntries(file), concurrency)) {
      const stored = await Promise.all(batch.map((entry) => putEntry(store, file, entry)))
      for (const blob of stored) {
        missing.delete(blob.id)
        const expected = await findExpectedBytes(trx, blob.id, hasVersions)
        found += expected.length
        if (expected.some((bytes) => !matchesExpected(blob, bytes)))
          await report(blob.id, expected, 'its bytes in the backup are not those that were uploaded')
      }
      restored += batch.length
      progress.show(`${restored} of ${formatCount(end.blobs, 'blob')}`)
    }
    for (const id of missing) {
      const expected = await findExpectedBytes(trx, id, hasVersions) // none for a thumbnail, which is created again
      found += expected.length
      await report(id, expected, 'its bytes were already missing when it was backed up')
    }
    if (found !== (await countExpectedBytes(trx, hasVersions)))
      throw new CommandError('The backup is damaged: it does not contain the bytes of every file.')
    await finishRestore(trx, 'It was waiting when the backup was made, and may have been sent since.')
    await setRestored(trx, end.rows_sha256)
    if (claimed) await insertInstallationValue(trx, 'store', claimed)
  })
  progress.clear()
  return lost
}

/** Stores blobs in parallel, because most of the time is spent waiting for the disk to sync. */
const concurrency = 16

async function* readBlobEntries(file: FileHandle) {
  for await (const entry of readEntries(file)) if (isBlob(entry)) yield entry
}

async function putEntry(store: BlobStore, file: FileHandle, entry: TarEntry) {
  const id = entry.name.slice('blobs/'.length)
  return { id, ...(await store.put(id, Readable.from(readChunks(file, entry)), { maxSize: entry.size })) }
}

async function restoreRows(trx: Deps['db'], file: FileHandle, rows: TarEntry[]) {
  const tables = await listTables(trx)
  const cleared = new Set<string>()
  for (const entry of rows) {
    const table = entry.name.split('/')[1] ?? ''
    if (!tables.has(table)) throw new CommandError(`The backup is damaged: it has an unknown table ${JSON.stringify(table)}.`)
    if (!cleared.has(table)) await clearTable(trx, table)
    cleared.add(table)
    await insertIntoTable(trx, table, parseRows(await readEntry(file, entry)))
  }
}

const matchesExpected = (stored: StoredBlob, expected: { size: number; sha256: string }) =>
  stored.size === expected.size && stored.sha256 === expected.sha256

/** Migrates the database, records the restore in the audit log, and lets servers start again. */
async function completeRestore({ config, db, store }: RestoreTarget, keys: Keys, path: string, { created_at }: Manifest) {
  await migrate(db)
  const log = pino({ level: 'warn', base: null }, pino.destination({ fd: 2, sync: true }))
  const deps = { config, keys, db, blobs: store, mailer: openMailer(config, log), log, now: () => new Date() }
  await db
    .transaction()
    .execute((trx) =>
      record(deps, trx, [
        { action: 'backup.restored', by: { kind: 'operator' }, name: basename(path), note: `as of ${created_at}` },
      ]),
    )
  await rm(getRestoreMarkPath(config))
  await syncFolder(config.dataDir)
}
