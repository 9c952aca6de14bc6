import { type FileHandle, rm } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pino } from 'pino'
import { BlobError, type BlobStore, type StoredBlob } from '../blobs/blob-store.ts'
import { syncFolder } from '../blobs/disk-files.ts'
import { inBatches } from '../blobs/sweep.ts'
import { type Config, readConfig } from '../config.ts'
import { openDataDir } from '../data-dir.ts'
import { tryLock } from '../data-lock.ts'
import {
  clearTable,
  countFiles,
  findExpectedFile,
  finishRestore,
  insertIntoTable,
  isEmptyDatabase,
  listTables,
  markLost,
  setRestored,
} from '../db/dump.ts'
import { findFact, insertFact } from '../db/installation.ts'
import { listMigrations, migrate, migrateTo } from '../db/migrate.ts'
import type { Deps } from '../deps.ts'
import { record } from '../features/audit/audit.service.ts'
import { isSameSecret, type Keys } from '../lib/secrets.ts'
import { connect, describeDatabase, openBlobs, openMailer, restoreMarkPath } from '../open.ts'
import { assertBucketNotForeign, claimBucketAs } from '../store-id.ts'
import { type End, type Manifest, macOf } from './archive.ts'
import { linesOf } from './backup.ts'
import { type Backup, isBlob, keysFor, openBackup, readBackup } from './read-backup.ts'
import { type Mark, markOf, readMark, setMark } from './restore-mark.ts'
import { chunksOf, entriesOf, readEntry, type TarEntry } from './tar.ts'
import { type Command, countInWords, progress, sizeInWords, UsageError } from './terminal.ts'

export const restore: Command = {
  usage: 'FILE',
  summary: 'Brings a backup back, into an empty data folder or bucket and an empty database',
  details: `
Where to is said by DATA_DIR, DATABASE_URL and the S3 settings, as for npm start; it may be another kind of database or store than the
backup was made of. The secret key must be there first: put secret.key into DATA_DIR, or set SECRET_KEY. Nothing is written before all of that is known to fit.

Every file is compared with its SHA-256. One that does not fit is named and marked as damaged; it ends with 1 then. Broken off, it can be
run again with the same settings; until it is whole, Neptune does not start there. Mails that were waiting are not sent by themselves: see Mail in the user menu.`,
  words: ['FILE'],
  options: {},
  async run({ words: [name = ''], folder, say }) {
    const config = readConfig(process.env)
    const path = resolve(folder, name)
    await using file = await openBackup(path)
    const { manifest, end, rows } = await readBackup(path, file)
    const keys = keysFor(config, manifest)
    if (!isSameSecret(end.mac, macOf(keys, manifest, end)))
      throw new UsageError(`${path} was changed after it was made. It is not restored: nobody knows what is in it.`)
    const removeFolders = openDataDir(config.dataDir)
    const lock = tryLock(config.dataDir)
    let db: Deps['db'] | undefined
    try {
      if (lock.state === 'taken') throw new UsageError(`A Neptune runs with the data folder ${config.dataDir}. Stop it first.`)
      const begun = readMark(config)
      const mark = begun ?? markOf(config)
      db = await connect(config, { hasNoTimeouts: true })
      await assertBucketNotForeign(config, mark.id)
      const place: Place = { config, db, store: await openBlobs(config, db, noUploads), mark, isBegun: begun !== undefined }
      const isRest = await isAllThere(place, end)
      if (!isRest) await refuseUnlessEmpty(place, manifest)
      if (!begun) await setMark(config, mark)
      const lost = isRest ? [] : await fill(place, file, { manifest, end, rows })
      await finish(place, keys, path, manifest)
      for (const line of lost) say(`damaged ${line}`)
      say(
        `Restored ${countInWords(end.blobs, 'blob')}, ${sizeInWords(end.bytes)}, and ${countInWords(end.rows, 'row')} of ${manifest.created_at}.`,
      )
      say('Start Neptune with the same settings. Everybody signs in again.')
      return lost.length > 0 ? 1 : 0
    } catch (error) {
      const isFull = error instanceof BlobError && error.fault === 'no_space'
      throw isFull ? new UsageError(`There is no space left in ${config.dataDir}. Make room, and run it again.`) : error
    } finally {
      await db?.destroy()
      lock.release()
      removeFolders()
    }
  },
}

interface Place {
  config: Config
  db: Deps['db']
  store: BlobStore
  mark: Mark
  /** By an earlier run, at the same place. */
  isBegun: boolean
}

/** The database is empty, so none stands there; and that of an older backup has no table for them. */
const noUploads = {
  create: async () => undefined,
  find: async () => undefined,
  save: async () => false,
  remove: async () => undefined,
  list: async () => [],
}

/** An earlier run brought everything and was broken off just before its end. */
async function isAllThere({ db, isBegun }: Place, { rows_sha256 }: End): Promise<boolean> {
  if (!isBegun || !(await listTables(db)).has('installation')) return false
  return (await findFact(db, 'restored')) === rows_sha256
}

async function refuseUnlessEmpty({ config, db, store, mark, isBegun }: Place, { migration }: Manifest) {
  if (!(await isEmptyDatabase(db)))
    throw new UsageError(
      `The database ${describeDatabase(config)} is not empty. A restore goes into an empty one, and replaces nothing.`,
    )
  if ((await listMigrations(db)).some((name) => name > migration))
    throw new UsageError(
      `The database ${describeDatabase(config)} has tables of a later version than the backup. Use one without tables.`,
    )
  for (const [ids, remove] of [[store.blobs(), store.remove] as const, [store.uploads(), store.discard] as const]) {
    for await (const id of ids) {
      if (!isBegun)
        throw new UsageError(
          `${mark.store.replace(/^the/, 'The')} holds files. A restore goes into an empty place, and replaces nothing.`,
        )
      await remove(id) // of a run that was broken off: without rows they are nobody's
    }
  }
}

/** The bytes first, then the commit: rows are there only when all is. Returns what did not come out as it should, in words. */
async function fill(place: Place, file: FileHandle, { manifest, end, rows }: Backup): Promise<string[]> {
  const { config, db, store, mark } = place
  const claimed = await claimBucketAs(config, mark.id)
  await migrateTo(db, manifest.migration)
  const bar = progress()
  const lost: string[] = []
  await db.transaction().execute(async (trx) => {
    const now = new Date().toISOString()
    await fillRows(trx, file, rows)
    let files = 0
    let done = 0
    const missing = new Set(end.damaged)
    for await (const batch of inBatches(blobsOf(file), blobsAtOnce)) {
      const stored = await Promise.all(batch.map((entry) => putEntry(store, file, entry)))
      for (const blob of stored) {
        missing.delete(blob.id)
        const expected = await findExpectedFile(trx, blob.id)
        if (expected.file) files++
        if (!expected.file || isSame(blob, expected.file)) continue
        await markLost(trx, blob.id, now)
        lost.push(`${JSON.stringify(expected.file.name)} (${blob.id}): its bytes in the backup are not those that were uploaded`)
      }
      done += batch.length
      bar.show(`${done} of ${countInWords(end.blobs, 'blob')}`)
    }
    for (const id of missing) {
      const { file } = await findExpectedFile(trx, id)
      await markLost(trx, id, now)
      if (!file) continue // a small picture: drawn again
      files++
      lost.push(`${JSON.stringify(file.name)} (${id}): its bytes were missing already when it was backed up`)
    }
    if (files !== (await countFiles(trx)))
      throw new UsageError('The backup is damaged: it does not hold the bytes of every file.')
    await finishRestore(trx, 'It was waiting when the backup was made, and may have been sent since.')
    await setRestored(trx, end.rows_sha256)
    if (claimed) await insertFact(trx, 'store', claimed)
  })
  bar.clear()
  return lost
}

/** Most of the time goes into waiting for the disk to say that bytes are safe. */
const blobsAtOnce = 16

async function* blobsOf(file: FileHandle) {
  for await (const entry of entriesOf(file)) if (isBlob(entry)) yield entry
}

async function putEntry(store: BlobStore, file: FileHandle, entry: TarEntry) {
  const id = entry.name.slice('blobs/'.length)
  return { id, ...(await store.put(id, Readable.from(chunksOf(file, entry)), { maxSize: entry.size })) }
}

async function fillRows(trx: Deps['db'], file: FileHandle, rows: TarEntry[]) {
  const tables = await listTables(trx)
  const cleared = new Set<string>()
  for (const entry of rows) {
    const table = entry.name.split('/')[1] ?? ''
    if (!tables.has(table)) throw new UsageError(`The backup is damaged: there is no table ${JSON.stringify(table)}.`)
    if (!cleared.has(table)) await clearTable(trx, table)
    cleared.add(table)
    await insertIntoTable(trx, table, linesOf(await readEntry(file, entry)))
  }
}

const isSame = (stored: StoredBlob, expected: { size: number; sha256: string }) =>
  stored.size === expected.size && stored.sha256 === expected.sha256

/** Up to date, said in the trail, and open to a server again. */
async function finish({ config, db, store }: Place, keys: Keys, path: string, { created_at }: Manifest) {
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
  await rm(restoreMarkPath(config))
  await syncFolder(config.dataDir)
}
