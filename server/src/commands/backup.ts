import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import neptune from '../../../package.json' with { type: 'json' }
import { BlobError } from '../blobs/blob-store.ts'
import { ignoreErrorCode, syncFolder } from '../blobs/disk/files.ts'
import { backupTables, type DumpRow, readPages, runInSnapshot } from '../db/dump.ts'
import { readInstallationValue, removeBackupHold, removeExpiredBackupHolds, renewBackupHold } from '../db/installation.ts'
import { listMigrations } from '../db/migrate.ts'
import type { Deps } from '../deps.ts'
import { record } from '../features/audit/audit.service.ts'
import { describeError } from '../installation/open-installation.ts'
import { newId } from '../lib/secrets.ts'
import { type End, type Manifest, RowsHash, signBackup } from './archive/manifest.ts'
import { readEntry, type TarEntry, TarWriter } from './archive/tar.ts'
import { openForCommand } from './open-for-command.ts'
import { type Call, type Command, CommandError, createProgressLine, formatCount, formatSize } from './terminal.ts'

export const backup: Command = {
  usage: 'FILE',
  summary: 'Writes everything except the secret key to one file, while the server is running',
  details: `
The file contains companies, users, directories, files with their bytes, links, receipts and the audit log, as of one moment. It does not
contain the secret key (DATA_DIR/secret.key or SECRET_KEY): keep a copy of it elsewhere, because a restore needs it. It contains no
sessions and no unfinished uploads, so everyone signs in again after a restore.

FILE must not exist. Until it is complete it is called FILE.part. Every file is compared with its SHA-256: one that does not match is
listed, and the rest is backed up. The exit code is 1 then, and also if another backup wrote to the same FILE meanwhile. The backup is
signed with the secret key: one that was changed cannot be restored.`,
  positionals: ['FILE'],
  options: {},
  async run({ positionals: [name = ''], workingDirectory, print }) {
    const path = resolve(workingDirectory, name)
    if (existsSync(path)) throw new CommandError(`${path} already exists. A backup never overwrites a file.`)
    await using opened = await openForCommand()
    const { deps } = opened
    const part = `${path}.part`
    await using file = await openPart(part)
    try {
      const written = await withBackupHold(deps, 'Stopped. Nothing was backed up.', (signal) =>
        writeBackup(deps, file, signal, print),
      )
      await file.sync()
      if (!(await isSameFile(file, part))) {
        print(`Nothing was backed up: another backup has replaced ${part}. Run only one backup to a file at a time.`)
        return 1
      }
      if (existsSync(path)) throw new CommandError(`${path} was created meanwhile. A backup never overwrites a file.`)
      await rename(part, path)
      await syncFolder(dirname(path))
      await deps.db.transaction().execute((trx) =>
        record(deps, trx, [
          {
            action: 'backup.made',
            by: { kind: 'operator' },
            name: basename(path),
            size: written.size,
            note: `${written.blobs} blobs`,
          },
        ]),
      )
      print(
        `Backed up ${formatCount(written.files, 'file')} (${formatSize(written.bytes)}) and ${formatCount(written.rows, 'row')} to ${path}.`,
      )
      print('The secret key is not in it. Keep a copy of the key elsewhere: without it, the backup cannot be restored.')
      return written.faults > 0 ? 1 : 0
    } catch (error) {
      if (await isSameFile(file, part)) await rm(part, { force: true })
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOSPC' || code === 'EIO' || code === 'EDQUOT')
        throw new CommandError(`${part} cannot be written: ${describeError(error)}`)
      throw error
    }
  },
}

async function openPart(part: string): Promise<FileHandle> {
  try {
    await rm(part, { force: true }) // left by a backup that crashed
    return await open(part, 'wx+', 0o600)
  } catch (error) {
    throw new CommandError(`${part} cannot be written: ${describeError(error)}`)
  }
}

/** Returns whether the path still leads to our file. A second backup to it takes our file for that of a crashed backup, and replaces it. */
async function isSameFile(file: FileHandle, path: string): Promise<boolean> {
  const ours = await file.stat({ bigint: true })
  const found = await stat(path, { bigint: true }).catch(ignoreErrorCode('ENOENT'))
  return found?.dev === ours.dev && found.ino === ours.ino
}

const holdMs = 5 * 60_000
const renewIntervalMs = 60_000

/** Runs `work`, and keeps the server from deleting blobs meanwhile. If this process crashes, the hold expires after a few minutes. */
export async function withBackupHold<T>(deps: Deps, stopMessage: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const id = newId()
  const renew = () => renewBackupHold(deps.db, id, new Date(deps.now().getTime() + holdMs).toISOString())
  const stopped = new AbortController()
  const stop = () => stopped.abort(new CommandError(stopMessage))
  await removeExpiredBackupHolds(deps.db, deps.now().toISOString())
  await renew()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  const timer = setInterval(
    () => void renew().catch((err: unknown) => deps.log.warn({ err }, 'could not renew the hold on blobs')),
    renewIntervalMs,
  )
  try {
    return await work(stopped.signal)
  } finally {
    clearInterval(timer)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
    await removeBackupHold(deps.db, id)
  }
}

/** The end of the archive before it is signed. */
type UnsignedEnd = Omit<End, 'mac'>

async function writeBackup(deps: Deps, file: FileHandle, signal: AbortSignal, print: Call['print']) {
  const tar = new TarWriter(file, deps.now())
  const progress = createProgressLine()
  const { manifest, rows, rows_sha256, files, shared } = await writeRows(deps, tar, signal)
  const end: UnsignedEnd = { rows, blobs: 0, bytes: 0, rows_sha256, damaged: [] }
  const counts = { files: 0, faults: 0 }
  // Reads the rows from the backup itself, because copying the bytes may take hours and must not keep a database snapshot open.
  for (const entry of files) {
    for (const row of parseRows(await readEntry(file, entry))) {
      signal.throwIfAborted()
      const isVersion = row['file_id'] !== undefined
      if (!isVersion) counts.files++
      const [id, size, thumbnail] = [String(row['blob_id']), Number(row['size']), row['thumbnail_id']]
      const name = isVersion ? `version ${row['number']} of the file ${row['file_id']}` : JSON.stringify(row['name'])
      const problem = shared.take(id) && (await copyBlob(deps, tar, end, { id, size, sha256: String(row['sha256']) }, signal))
      if (problem) {
        if (row['damaged_at'] === null) counts.faults++
        progress.clear()
        print(`${row['damaged_at'] === null ? 'damaged      ' : 'known damaged'} ${name} (${id}): ${problem}`)
      }
      // A missing thumbnail is created again after a restore.
      if (thumbnail !== null && shared.take(String(thumbnail)))
        await copyBlob(deps, tar, end, { id: String(thumbnail), size: Number(row['thumbnail_size']) }, signal)
      progress.show(`${formatCount(counts.files, 'file')}, ${formatSize(end.bytes)}`)
    }
  }
  progress.clear()
  await tar.add('end.json', Buffer.from(JSON.stringify({ ...end, mac: signBackup(deps.keys, manifest, end) } satisfies End)))
  await tar.finish()
  return { ...end, ...counts, size: tar.position }
}

/**
 * Writes a snapshot of all rows. Returns the manifest, the number and hash of the rows, the entries with files and
 * versions, and their shared blobs.
 */
const writeRows = (deps: Deps, tar: TarWriter, signal: AbortSignal) =>
  runInSnapshot(deps.db, async (trx) => {
    const hash = new RowsHash()
    const manifest = await createManifest(deps, trx)
    const files: TarEntry[] = []
    const shared = new SharedBlobs()
    let rows = 0
    await tar.add('manifest.json', Buffer.from(JSON.stringify(manifest)))
    for (const [table, key] of backupTables) {
      let number = 0
      for await (const page of readPages(trx, table, key)) {
        signal.throwIfAborted()
        const bytes = Buffer.from(page.map((row) => `${JSON.stringify(row)}\n`).join(''))
        const entry = await tar.add(`rows/${table}/${number++}.jsonl`, bytes)
        hash.begin(entry)
        hash.update(bytes)
        if (table === 'file' || table === 'file_version') files.push(entry)
        shared.addRows(table, page)
        rows += page.length
      }
    }
    return { manifest, rows, rows_sha256: hash.digest(), files, shared }
  })

/** Tracks blobs that several files, versions or thumbnails refer to, so that each is backed up once. */
class SharedBlobs {
  readonly #isTaken = new Map<string, boolean>()

  /** Adds the blobs in `shared_blob`, and those of versions and copies, in case their reference count is missing. */
  addRows(table: string, rows: DumpRow[]) {
    if (!['file', 'file_version', 'shared_blob'].includes(table)) return
    for (const { id, blob_id } of rows) if (id !== blob_id) this.#isTaken.set(String(blob_id), false)
  }

  /** Returns whether a blob still has to be copied. False if it was copied for another row. */
  take(id: string): boolean {
    const isTaken = this.#isTaken.get(id)
    if (isTaken === false) this.#isTaken.set(id, true)
    return isTaken !== true
  }
}

async function createManifest(deps: Deps, trx: Deps['db']): Promise<Manifest> {
  return {
    format: 1,
    neptune: neptune.version,
    created_at: deps.now().toISOString(),
    migration: (await listMigrations(trx)).at(-1) ?? '',
    key_check: (await readInstallationValue(trx, 'key_check')) ?? '',
  }
}

export const parseRows = (bytes: Buffer): DumpRow[] =>
  bytes
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

/** Copies a blob into the archive, unless it is missing. If it is missing or damaged, adds it to `end.damaged` and returns why. */
async function copyBlob(
  deps: Deps,
  tar: TarWriter,
  end: UnsignedEnd,
  { id, size, sha256 }: { id: string; size: number; sha256?: string },
  signal: AbortSignal,
): Promise<string | undefined> {
  const isDamage = (error: unknown) =>
    (error instanceof BlobError && error.fault === 'damaged') || (error as NodeJS.ErrnoException).code === 'EIO'
  const opened = await deps.blobs.open(id, size).catch((error) => {
    if (!isDamage(error)) throw error
    end.damaged.push(id)
  })
  if (!opened) return 'its bytes are missing or have the wrong size'
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
    problem = 'its bytes cannot be read completely'
    // The header already has the size, so the rest is filled with zeros.
    for (let rest = offset + size - tar.position; rest > 0; rest = offset + size - tar.position)
      await tar.write(Buffer.alloc(Math.min(rest, 1024 * 1024)))
  }
  await tar.end()
  end.blobs++
  end.bytes += size
  if (problem) end.damaged.push(id)
  return problem
}
