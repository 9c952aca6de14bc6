import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import neptune from '../../../package.json' with { type: 'json' }
import { BlobError } from '../blobs/blob-store.ts'
import { ignoreErrorCode, syncFolder } from '../blobs/disk-files.ts'
import { backupTables, type Row, readPages, runInSnapshot } from '../db/dump.ts'
import { findFact, removeBackupHold, removeExpiredBackupHolds, renewBackupHold } from '../db/installation.ts'
import { listMigrations } from '../db/migrate.ts'
import type { Deps } from '../deps.ts'
import { record } from '../features/audit/audit.service.ts'
import { newId } from '../lib/secrets.ts'
import { describeError } from '../open.ts'
import { type End, type Manifest, macOf, RowsHash } from './archive.ts'
import { openForCommand } from './open.ts'
import { readEntry, type TarEntry, TarWriter } from './tar.ts'
import { type Call, type Command, countInWords, progress, sizeInWords, UsageError } from './terminal.ts'

export const backup: Command = {
  usage: 'FILE',
  summary: 'Writes everything but the secret key into one file, while the server goes on',
  details: `
The file holds companies, people, directories, files with their bytes, links, receipts and the trail of activity, as they were at one
moment. It does not hold the secret key (DATA_DIR/secret.key or SECRET_KEY): keep that somewhere else, a restore needs it. Nor does it
hold sessions, so everybody signs in again after a restore, and uploads that are not finished.

FILE must not be there yet; until it is whole it is called FILE.part. Every file is compared with its SHA-256 on the way: one that
does not fit is named, and the rest is backed up. Ends with 1 then, and if another backup to the same FILE came in between. It is
signed with the secret key: one that was changed is not restored.`,
  words: ['FILE'],
  options: {},
  async run({ words: [name = ''], folder, say }) {
    const path = resolve(folder, name)
    if (existsSync(path)) throw new UsageError(`${path} is there already. A backup never overwrites one.`)
    await using opened = await openForCommand()
    const { deps } = opened
    const part = `${path}.part`
    await using file = await openPart(part)
    try {
      const made = await holding(deps, 'Stopped. Nothing was backed up.', (signal) => writeBackup(deps, file, signal, say))
      await file.sync()
      if (!(await isSameFile(file, part))) {
        say(`Nothing was backed up: another backup has taken its place at ${part}. Let only one at a time write to a file.`)
        return 1
      }
      if (existsSync(path)) throw new UsageError(`${path} is there by now. A backup never overwrites one.`)
      await rename(part, path)
      await syncFolder(dirname(path))
      await deps.db.transaction().execute((trx) =>
        record(deps, trx, [
          {
            action: 'backup.made',
            by: { kind: 'operator' },
            name: basename(path),
            size: made.size,
            note: `${made.blobs} blobs`,
          },
        ]),
      )
      say(
        `Backed up ${countInWords(made.files, 'file')}, ${sizeInWords(made.bytes)}, and ${countInWords(made.rows, 'row')} to ${path}.`,
      )
      say('The secret key is not in it. Keep a copy of it somewhere else: without it the backup cannot be restored.')
      return made.faults > 0 ? 1 : 0
    } catch (error) {
      if (await isSameFile(file, part)) await rm(part, { force: true })
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOSPC' || code === 'EIO' || code === 'EDQUOT')
        throw new UsageError(`${part} cannot be written: ${describeError(error)}`)
      throw error
    }
  },
}

async function openPart(part: string): Promise<FileHandle> {
  try {
    await rm(part, { force: true }) // of one that died
    return await open(part, 'wx+', 0o600)
  } catch (error) {
    throw new UsageError(`${part} cannot be written: ${describeError(error)}`)
  }
}

/** A second backup takes the file for one of a backup that died, and removes it. What has its name then is not ours to touch. */
async function isSameFile(file: FileHandle, path: string): Promise<boolean> {
  const ours = await file.stat({ bigint: true })
  const there = await stat(path, { bigint: true }).catch(ignoreErrorCode('ENOENT'))
  return there?.dev === ours.dev && there.ino === ours.ino
}

const leaseFor = 5 * 60_000
const renewEvery = 60_000

/** As long as it works, nobody removes bytes that it may still want. If it dies, that ends by itself after a few minutes. */
export async function holding<T>(deps: Deps, whenStopped: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const id = newId()
  const renew = () => renewBackupHold(deps.db, id, new Date(deps.now().getTime() + leaseFor).toISOString())
  const stopped = new AbortController()
  const stop = () => stopped.abort(new UsageError(whenStopped))
  await removeExpiredBackupHolds(deps.db, deps.now().toISOString())
  await renew()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  const timer = setInterval(
    () => void renew().catch((err: unknown) => deps.log.warn({ err }, 'the lease was not renewed')),
    renewEvery,
  )
  try {
    return await work(stopped.signal)
  } finally {
    clearInterval(timer)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
    await removeBackupHold(deps.db, id)
  }
}

/** What the end says, before it is signed. */
type Contents = Omit<End, 'mac'>

async function writeBackup(deps: Deps, file: FileHandle, signal: AbortSignal, say: Call['say']) {
  const tar = new TarWriter(file, deps.now())
  const bar = progress()
  const { manifest, rows, rows_sha256, files } = await writeRows(deps, tar, signal)
  const end: Contents = { rows, blobs: 0, bytes: 0, rows_sha256, damaged: [] }
  const seen = { files: 0, faults: 0 }
  // From the backup itself, so that nothing in the database is held while the bytes are copied, which may take hours.
  for (const entry of files) {
    for (const row of linesOf(await readEntry(file, entry))) {
      signal.throwIfAborted()
      seen.files++
      const [id, size, picture] = [String(row['id']), Number(row['size']), row['thumbnail_id']]
      const problem = await copyBlob(deps, tar, end, { id, size, sha256: String(row['sha256']) }, signal)
      if (problem) {
        if (row['damaged_at'] === null) seen.faults++
        bar.clear()
        say(
          `${row['damaged_at'] === null ? 'damaged      ' : 'known damaged'} ${JSON.stringify(row['name'])} (${id}): ${problem}`,
        )
      }
      // A picture that is missing is drawn again after a restore.
      if (picture !== null) await copyBlob(deps, tar, end, { id: String(picture), size: Number(row['thumbnail_size']) }, signal)
      bar.show(`${countInWords(seen.files, 'file')}, ${sizeInWords(end.bytes)}`)
    }
  }
  bar.clear()
  await tar.add('end.json', Buffer.from(JSON.stringify({ ...end, mac: macOf(deps.keys, manifest, end) } satisfies End)))
  await tar.finish()
  return { ...end, ...seen, size: tar.position }
}

const rowsEach = 1000

/** All rows of one moment. Tells where those of the files are. */
const writeRows = (deps: Deps, tar: TarWriter, signal: AbortSignal) =>
  runInSnapshot(deps.db, async (trx) => {
    const hash = new RowsHash()
    const manifest = await manifestOf(deps, trx)
    const files: TarEntry[] = []
    let rows = 0
    await tar.add('manifest.json', Buffer.from(JSON.stringify(manifest)))
    for (const [table, key] of backupTables) {
      let number = 0
      for await (const page of readPages(trx, table, key, rowsEach)) {
        signal.throwIfAborted()
        const bytes = Buffer.from(page.map((row) => `${JSON.stringify(row)}\n`).join(''))
        const entry = await tar.add(`rows/${table}/${number++}.jsonl`, bytes)
        hash.begin(entry)
        hash.update(bytes)
        if (table === 'file') files.push(entry)
        rows += page.length
      }
    }
    return { manifest, rows, rows_sha256: hash.digest(), files }
  })

async function manifestOf(deps: Deps, trx: Deps['db']): Promise<Manifest> {
  return {
    format: 1,
    neptune: neptune.version,
    created_at: deps.now().toISOString(),
    migration: (await listMigrations(trx)).at(-1) ?? '',
    key_check: (await findFact(trx, 'key_check')) ?? '',
  }
}

export const linesOf = (bytes: Buffer): Row[] =>
  bytes
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

/** What is wrong with it, if anything; its id is in the list of the damaged then. What is not there at all is left out. */
async function copyBlob(
  deps: Deps,
  tar: TarWriter,
  end: Contents,
  { id, size, sha256 }: { id: string; size: number; sha256?: string },
  signal: AbortSignal,
): Promise<string | undefined> {
  const isDamage = (error: unknown) =>
    (error instanceof BlobError && error.fault === 'damaged') || (error as NodeJS.ErrnoException).code === 'EIO'
  const opened = await deps.blobs.open(id, size).catch((error) => {
    if (!isDamage(error)) throw error
    end.damaged.push(id)
  })
  if (!opened) return 'its bytes are missing, or not as many as they were'
  await using blob = opened
  const { offset } = await tar.begin(`blobs/${id}`, size)
  const hash = createHash('sha256')
  let problem: string | undefined
  try {
    for await (const chunk of blob.read()) {
      signal.throwIfAborted()
      hash.update(chunk)
      await tar.write(chunk)
    }
    if (sha256 !== undefined && hash.digest('hex') !== sha256) problem = 'its bytes are not those that were uploaded (SHA-256)'
  } catch (error) {
    if (!isDamage(error)) throw error
    problem = 'its bytes cannot be read to their end'
    // The size is announced already.
    for (let rest = offset + size - tar.position; rest > 0; rest = offset + size - tar.position)
      await tar.write(Buffer.alloc(Math.min(rest, 1024 * 1024)))
  }
  await tar.end()
  end.blobs++
  end.bytes += size
  if (problem) end.damaged.push(id)
  return problem
}
