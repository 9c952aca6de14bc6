import { existsSync, readFileSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pino } from 'pino'
import * as z from 'zod'
import { BlobError, type BlobStore, type Stored } from '../blobs/blob-store.ts'
import { syncFolder } from '../blobs/disk-files.ts'
import { inBatches } from '../blobs/sweep.ts'
import { type Config, readConfig } from '../config.ts'
import { openDataDir } from '../data-dir.ts'
import { tryLock } from '../data-lock.ts'
import {
  clearTable,
  countFiles,
  expectedOf,
  fillTable,
  isEmptyDatabase,
  markLost,
  setRestored,
  settleRestored,
  tablesOf,
} from '../db/dump.ts'
import { findFact, insertFact } from '../db/installation.ts'
import { migrate, migrateTo, migrations, migrationsOf } from '../db/migrate.ts'
import type { Deps } from '../deps.ts'
import { record } from '../features/audit/audit.service.ts'
import { deriveKeys, isSameSecret, isSigned, type Keys, newId } from '../lib/secrets.ts'
import { connect, openBlobs, openMailer, reasonOf, restoreMark, whereIs } from '../open.ts'
import { readKeyFile } from '../secret-key.ts'
import { claimAs, refuseOtherId } from '../store-id.ts'
import { End, Manifest, macOf, RowsHash } from './archive.ts'
import { linesOf } from './backup.ts'
import { chunksOf, entriesOf, readEntry, type TarEntry, TarError } from './tar.ts'
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
      db = await connect(config, { isPatient: true })
      await refuseOtherId(config, mark.id)
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

/** Where to a restore goes, so that a later run does not take another place for its own. */
const Mark = z.object({
  database: z.string(),
  store: z.string(),
  /** See store-id.ts. */
  id: z.string(),
})
type Mark = z.infer<typeof Mark>

const markOf = (config: Config): Mark => ({
  database: whereIs(config),
  store: config.s3 ? `the bucket ${config.s3.bucket} at ${config.s3.endpoint}` : config.dataDir,
  id: newId(),
})

/** Undefined where no restore has begun. */
function readMark(config: Config): Mark | undefined {
  if (!existsSync(restoreMark(config))) return undefined
  const { data: begun } = Mark.safeParse(jsonOf(readFileSync(restoreMark(config), 'utf8')))
  const here = markOf(config)
  if (begun && begun.database === here.database && begun.store === here.store) return begun
  const there = begun ? `${begun.database} and ${begun.store}` : 'a place that it does not tell'
  throw new UsageError(
    `${restoreMark(config)} says that a restore into ${there} was broken off. Run it again with the settings it had, or empty the data folder, the database and the store to begin anew.`,
  )
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The database is empty, so none stands there; and that of an older backup has no table for them. */
const noUploads = {
  create: async () => undefined,
  find: async () => undefined,
  save: async () => false,
  remove: async () => undefined,
  list: async () => [],
}

interface Backup {
  manifest: Manifest
  end: End
  /** Where the rows are. The blobs may be a million, so these are looked up again. */
  rows: TarEntry[]
}

async function openBackup(path: string): Promise<FileHandle> {
  const file = await open(path, 'r').catch((error) => {
    throw new UsageError(`${path} cannot be read: ${reasonOf(error)}`)
  })
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new UsageError(`${path} cannot be read: it is not a file. Name the file that neptune backup made.`)
}

/** What the file holds. Whatever is wrong with it is said here, before anything is written; only the blobs are not looked into yet. */
async function readBackup(path: string, file: FileHandle): Promise<Backup> {
  const refuse = (why: string) => new UsageError(`${path} ${why}`)
  const entries: TarEntry[] = []
  const rows: TarEntry[] = []
  let blobs = 0
  try {
    for await (const entry of entriesOf(file)) {
      if (isBlob(entry)) blobs++
      else (entry.name.startsWith('rows/') ? rows : entries).push(entry)
    }
  } catch (error) {
    if (!(error instanceof TarError)) throw error
    throw refuse('is not a whole backup: it is cut off, or something else.')
  }
  const json = async (name: string) => {
    const entry = entries.find((entry) => entry.name === name)
    return entry ? JSON.parse((await readEntry(file, entry)).toString()) : undefined
  }
  const said = await json('manifest.json')
  if (typeof said?.format === 'number' && said.format > 1)
    throw refuse('was made by a newer Neptune. Restore it with that version.')
  const manifest = Manifest.safeParse(said)
  if (!manifest.success) throw refuse('is not a backup of Neptune.')
  if (!(manifest.data.migration in migrations))
    throw refuse(`was made by a newer Neptune (${manifest.data.neptune}). Restore it with that version.`)
  const end = End.safeParse(await json('end.json'))
  if (!end.success || end.data.blobs !== blobs) throw refuse('has no end: the backup was broken off.')
  const hash = new RowsHash()
  for (const entry of rows) {
    hash.begin(entry)
    for await (const chunk of chunksOf(file, entry)) hash.update(chunk)
  }
  if (hash.digest() !== end.data.rows_sha256) throw refuse('is damaged: its rows are not those that were backed up.')
  return { manifest: manifest.data, end: end.data, rows }
}

const isBlob = ({ name }: TarEntry) => name.startsWith('blobs/')

function keysFor(config: Config, { key_check }: Manifest): Keys {
  const given = config.secretKey ?? readKeyFile(config)
  if (!given)
    throw new UsageError(
      `The secret key of this backup is missing. Put it at ${resolve(config.dataDir, 'secret.key')} (chmod 600) or set SECRET_KEY; without it sealed data cannot be read.`,
    )
  const keys = deriveKeys(given)
  if (!isSigned(keys.check, 'neptune', key_check))
    throw new UsageError('The secret key is not the one this backup was made with. Put the right one in its place.')
  return keys
}

/** An earlier run brought everything and was broken off just before its end. */
async function isAllThere({ db, isBegun }: Place, { rows_sha256 }: End): Promise<boolean> {
  if (!isBegun || !(await tablesOf(db)).has('installation')) return false
  return (await findFact(db, 'restored')) === rows_sha256
}

async function refuseUnlessEmpty({ config, db, store, mark, isBegun }: Place, { migration }: Manifest) {
  if (!(await isEmptyDatabase(db)))
    throw new UsageError(`The database ${whereIs(config)} is not empty. A restore goes into an empty one, and replaces nothing.`)
  if ((await migrationsOf(db)).some((name) => name > migration))
    throw new UsageError(`The database ${whereIs(config)} has tables of a later version than the backup. Use one without tables.`)
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

/** From now on and until the end no server starts here. */
async function setMark(config: Config, mark: Mark) {
  const part = `${restoreMark(config)}.part`
  {
    await using file = await open(part, 'w', 0o600)
    await file.writeFile(`${JSON.stringify(mark)}\n`)
    await file.sync()
  }
  await rename(part, restoreMark(config)) // whole or not at all: half of one would tell no place
  await syncFolder(config.dataDir)
}

/** The bytes first, then the commit: rows are there only when all is. Returns what did not come out as it should, in words. */
async function fill(place: Place, file: FileHandle, { manifest, end, rows }: Backup): Promise<string[]> {
  const { config, db, store, mark } = place
  const claimed = await claimAs(config, mark.id)
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
        const expected = await expectedOf(trx, blob.id)
        if (expected.file) files++
        if (!expected.file || isSame(blob, expected.file)) continue
        await markLost(trx, blob.id, now)
        lost.push(`${JSON.stringify(expected.file.name)} (${blob.id}): its bytes in the backup are not those that were uploaded`)
      }
      done += batch.length
      bar.show(`${done} of ${countInWords(end.blobs, 'blob')}`)
    }
    for (const id of missing) {
      const { file } = await expectedOf(trx, id)
      await markLost(trx, id, now)
      if (!file) continue // a small picture: drawn again
      files++
      lost.push(`${JSON.stringify(file.name)} (${id}): its bytes were missing already when it was backed up`)
    }
    if (files !== (await countFiles(trx)))
      throw new UsageError('The backup is damaged: it does not hold the bytes of every file.')
    await settleRestored(trx, 'It was waiting when the backup was made, and may have been sent since.')
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
  const tables = await tablesOf(trx)
  const cleared = new Set<string>()
  for (const entry of rows) {
    const table = entry.name.split('/')[1] ?? ''
    if (!tables.has(table)) throw new UsageError(`The backup is damaged: there is no table ${JSON.stringify(table)}.`)
    if (!cleared.has(table)) await clearTable(trx, table)
    cleared.add(table)
    await fillTable(trx, table, linesOf(await readEntry(file, entry)))
  }
}

const isSame = (stored: Stored, expected: { size: number; sha256: string }) =>
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
  await rm(restoreMark(config))
  await syncFolder(config.dataDir)
}
