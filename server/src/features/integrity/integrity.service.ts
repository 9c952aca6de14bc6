import { BlobError, type Stray } from '../../blobs/blob-store.ts'
import { splitIntoBatches } from '../../blobs/sweep.ts'
import type { Deps } from '../../deps.ts'
import { type Performer, record } from '../audit/audit.service.ts'
import { findKnownBlobs } from '../file/file.repo.ts'
import { releaseBlobs } from '../version/shared-blob.repo.ts'
import { createDamageFinder, type Damage } from './find-damage.service.ts'
import {
  type CheckedFile,
  type CounterOwner,
  correctCounter,
  countAllFiles,
  countAllVersions,
  countWrongStandings,
  deleteUnfinishedUpload,
  findFileToCheck,
  findReservedBytes,
  findWrongCounters,
  isUnfinishedUpload,
  listFilesToCheck,
  listUnfinishedUploads,
  listVersionsToCheck,
  raiseReservedBytes,
  resetThumbnail,
  setDamaged,
} from './integrity.repo.ts'
import { checkNameSortKeys } from './name-order.service.ts'
import { checkReferences } from './references.service.ts'
import { checkTotals } from './totals-check.service.ts'
import { checkDirectoryTotals, checkTrees } from './tree-check.service.ts'

type Mismatch = 'thumbnail' | 'orphan' | 'stray' | 'upload' | 'counter' | 'order' | 'version' | 'logo'

export interface Finding {
  kind: Damage | 'known damaged' | 'healed' | Mismatch
  id: string
  /** What was found, in one line. */
  text: string
  /** How it was repaired. */
  done?: string
  /** Whether it is for information only, not a fault. */
  isNote?: true
}

export interface Check {
  /** Whether to also read every byte and compare its SHA-256. */
  isScrub: boolean
  isRepair: boolean
  /** Whether no server is running and none can start, so that no upload is in progress. */
  isAlone: boolean
  report: (finding: Finding) => void
  onProgress?: (files: number, all: number) => void
}

/**
 * While a server is running, bytes that changed less than this long ago may belong to a running request, which inserts their row at its
 * end. Older ones can't, because a connection that is idle for a minute is closed.
 */
const minOrphanAgeMs = 15 * 60_000
const pageSize = 500
const maxConcurrentStats = 16
const maxConcurrentReads = 4

/** Compares rows, bytes and counters with each other. A repair changes only what the `done` of its findings describes. */
export async function checkFiles(deps: Deps, check: Check): Promise<{ files: number; bytes: number }> {
  const checked = await checkRows(deps, check)
  await checkUploads(deps, check)
  await checkReferences(deps, check)
  await checkOrphans(deps, check)
  await checkTrees(deps, check)
  await checkDirectoryTotals(deps, check)
  for (const what of ['company', 'link'] as const) await checkCounters(deps, check, what)
  await checkTotals(deps, check)
  await checkStandings(deps, check)
  await checkNameSortKeys(deps, check)
  return checked
}

async function checkRows(deps: Deps, check: Check) {
  const checked = { files: 0, bytes: 0 }
  const all = (await countAllFiles(deps.db)) + (await countAllVersions(deps.db))
  const damages = createDamageFinder(deps, check)
  for await (const page of readPagesToCheck(deps)) {
    // Checking sizes is mostly waiting, so many checks run at once. Reading a large file can keep a disk busy, so few reads do.
    const step = check.isScrub ? maxConcurrentReads : maxConcurrentStats
    for (let i = 0; i < page.length; i += step) {
      const files = page.slice(i, i + step)
      const found = await Promise.all(files.map(damages.find))
      for (const [n, file] of files.entries()) {
        await checkDamage(deps, check, file, found[n])
        await checkThumbnail(deps, check, file)
        checked.files++
        checked.bytes += file.size
      }
      check.onProgress?.(checked.files, all)
    }
  }
  return checked
}

/** Yields all files, and then their earlier versions. */
async function* readPagesToCheck({ db }: Deps): AsyncGenerator<CheckedFile[]> {
  for (let after = 0; ; ) {
    const page = await listFilesToCheck(db, after, pageSize)
    yield page
    const last = page.at(-1)
    if (!last || page.length < pageSize) break
    after = last.seq
  }
  for (let after = { id: '', blob_id: '' }; ; ) {
    const page = await listVersionsToCheck(db, after, pageSize)
    yield page
    const last = page.at(-1)
    if (!last || page.length < pageSize) return
    after = last
  }
}

async function checkDamage(deps: Deps, check: Check, file: CheckedFile, damage: Damage | undefined) {
  const { id, damaged_at } = file
  if (!damage && damaged_at === null) return
  // The file may have been removed meanwhile.
  if (damage && !(await findFileToCheck(deps.db, file))) return
  if (damage && damaged_at !== null) {
    check.report({
      kind: 'known damaged',
      id,
      text: `${describeFile(file)}: ${damageTexts[damage]}; marked as damaged since ${damaged_at}`,
      isNote: true,
    })
  } else if (damage) {
    const isMarked = check.isRepair && (await markDamaged(deps, { kind: 'operator' }, file, damageTexts[damage]))
    check.report({
      kind: damage,
      id,
      text: `${describeFile(file)}: ${damageTexts[damage]}`,
      ...(isMarked && { done: 'marked as damaged' }),
    })
  } else if (check.isScrub) {
    const isCleared = check.isRepair && (await unmarkDamaged(deps, file))
    const text = `${describeFile(file)}: marked as damaged, but its bytes are correct again`
    check.report({ kind: 'healed', id, text, ...(isCleared && { done: 'no longer marked' }) })
  } else {
    const text = `${describeFile(file)}: marked as damaged since ${damaged_at}; its size is correct (--scrub checks its content)`
    check.report({ kind: 'known damaged', id, text, isNote: true })
  }
}

type MarkedFile = Pick<CheckedFile, 'id' | 'blob_id' | 'name' | 'size' | 'company_id' | 'directory_id'>

/** Marks a file as damaged, so that its bytes are no longer sent. Returns false if it was marked before. */
export const markDamaged = (deps: Deps, by: Performer, file: MarkedFile, what: string): Promise<boolean> =>
  setMark(deps, by, file, deps.now().toISOString(), what)

const unmarkDamaged = (deps: Deps, file: MarkedFile): Promise<boolean> =>
  setMark(deps, { kind: 'operator' }, file, null, 'its content is intact again')

const setMark = (deps: Deps, by: Performer, file: MarkedFile, damagedAt: string | null, note: string): Promise<boolean> =>
  deps.db.transaction().execute(async (trx) => {
    if (!(await setDamaged(trx, file, damagedAt))) return false
    const fields = { company: file.company_id, directory: file.directory_id, file: file.id, name: file.name, size: file.size }
    await record(deps, trx, [{ action: 'file.damaged', by, ...fields, note }])
    return true
  })

/** The web translates these texts, and older audit entries contain them. */
const damageTexts: Record<Damage, string> = {
  missing: 'its bytes are missing',
  truncated: 'its content is shorter than it should be',
  larger: 'its content is longer than it should be',
  flipped: 'its bytes are not those that were uploaded (SHA-256)',
  unreadable: 'the disk cannot read its bytes',
}

const describeFile = ({ id, name, number, company, directory }: CheckedFile) =>
  `${number === null ? '' : `version ${number} of `}${JSON.stringify(name)} (${id}) in ${JSON.stringify(directory)} of ${JSON.stringify(company)}`

async function checkThumbnail(deps: Deps, check: Check, file: CheckedFile) {
  const { thumbnail_id, thumbnail_size } = file
  if (thumbnail_id === null || (await deps.blobs.getSize(thumbnail_id)) === thumbnail_size) return
  if ((await findFileToCheck(deps.db, file))?.thumbnail_id !== thumbnail_id) return
  const isReset = check.isRepair && (await dropThumbnail(deps, file, thumbnail_id))
  const text = `${describeFile(file)}: its thumbnail is missing or has the wrong size`
  check.report({ kind: 'thumbnail', id: thumbnail_id, text, ...(isReset && { done: 'will be drawn again' }) })
}

/** Drops a thumbnail, so that it is drawn again. Returns false if the file has a different one now. */
async function dropThumbnail(deps: Deps, file: CheckedFile, thumbnailId: string): Promise<boolean> {
  const removable = await deps.db
    .transaction()
    .execute(async (trx) => ((await resetThumbnail(trx, file, thumbnailId)) ? releaseBlobs(trx, [thumbnailId]) : undefined))
  for (const id of removable ?? []) await deps.blobs.remove(id)
  return removable !== undefined
}

async function checkUploads(deps: Deps, check: Check) {
  for (let after = ''; ; ) {
    const page = await listUnfinishedUploads(deps.db, after, pageSize)
    for (const { id, name, directory } of page) {
      const stored = await findStoredBytes(deps, id)
      if (stored !== undefined) await checkReserved(deps, check, id, name, stored)
      // The upload may have been canceled, or may have become a file.
      if (stored !== undefined || !(await isUnfinishedUpload(deps.db, id)) || (await findStoredBytes(deps, id)) !== undefined)
        continue
      const isDropped = check.isRepair && (await deleteUnfinishedUpload(deps.db, id))
      const text = `unfinished upload of ${JSON.stringify(name)} (${id}) to ${JSON.stringify(directory)}: its bytes are missing`
      check.report({ kind: 'upload', id, text, ...(isDropped && { done: 'removed' }) })
    }
    const last = page.at(-1)
    if (!last || page.length < pageSize) return
    after = last.id
  }
}

/** Returns undefined if no bytes are stored. */
const findStoredBytes = (deps: Deps, id: string): Promise<number | undefined> =>
  deps.blobs.getReceivedSize(id).catch((error) => {
    if (error instanceof BlobError && error.fault === 'missing') return undefined
    throw error
  })

/**
 * Reports bytes that are stored but not reserved: they could exceed the quota. Reads the reservation after the bytes, because
 * a running upload reserves first.
 */
async function checkReserved(deps: Deps, check: Check, id: string, name: string, stored: number) {
  const reserved = await findReservedBytes(deps.db, id)
  if (stored <= reserved) return
  const isRaised = check.isRepair && (await raiseReservedBytes(deps.db, id, stored))
  const text = `unfinished upload of ${JSON.stringify(name)} (${id}) reserves ${reserved} bytes; it has ${stored}`
  check.report({ kind: 'counter', id, text, ...(isRaised && { done: 'reservation raised' }) })
}

/** Reports links that are listed under the wrong state. */
async function checkStandings(deps: Deps, check: Check) {
  const wrong = await countWrongStandings(deps.db, check.isRepair)
  if (wrong === 0) return
  const text = `${wrong} ${wrong === 1 ? 'link is' : 'links are'} listed under the wrong state`
  check.report({ kind: 'counter', id: 'link', text, ...(check.isRepair && { done: 'corrected' }) })
}

async function checkOrphans(deps: Deps, check: Check) {
  const kinds = [
    { ids: deps.blobs.listUploads(), what: 'bytes of an upload', remove: (id: string) => deps.blobs.discard(id) },
    { ids: deps.blobs.listBlobs(), what: 'bytes', remove: (id: string) => deps.blobs.remove(id) },
  ]
  for (const { ids, what, remove } of kinds) {
    for await (const batch of splitIntoBatches(ids, pageSize)) {
      const known = await findKnownBlobs(deps.db, batch)
      for (const id of batch.filter((id) => !known.has(id))) {
        const changedAt = await deps.blobs.getChangeTime(id)
        // The bytes may have got a row, or been removed, meanwhile.
        if (!changedAt || (await findKnownBlobs(deps.db, [id])).has(id)) continue
        const text = `${what} that nothing refers to (${id})`
        if (isFresh(deps, check, changedAt)) check.report({ kind: 'orphan', id, text: `${text}: ${freshNote}`, isNote: true })
        else {
          if (check.isRepair) await remove(id)
          check.report({ kind: 'orphan', id, text, ...(check.isRepair && { done: 'removed' }) })
        }
      }
    }
  }
  for await (const stray of deps.blobs.listStrays()) await checkStray(deps, check, stray)
}

/** Reports an unknown file in the store. Never removes a file that may be the only copy of a blob, stored at the wrong path. */
async function checkStray(deps: Deps, check: Check, { path, isLink }: Stray) {
  if (isLink) {
    const text = `${JSON.stringify(path)} is a symbolic link, so it is left alone`
    check.report({ kind: 'stray', id: path, text, isNote: true })
    return
  }
  const name = path.split(/[\\/]/).at(-1) ?? ''
  const text = `${JSON.stringify(path)} is not a file that Neptune stored there`
  if ((await findKnownBlobs(deps.db, [name])).has(name)) {
    check.report({ kind: 'stray', id: path, text: `${text}; it has the id of a stored file, so it is left alone` })
    return
  }
  if (check.isRepair) await deps.blobs.removeStray(path)
  check.report({ kind: 'stray', id: path, text, ...(check.isRepair && { done: 'removed' }) })
}

const isFresh = (deps: Deps, { isAlone }: Check, changedAt: Date) =>
  !isAlone && deps.now().getTime() - changedAt.getTime() < minOrphanAgeMs

const freshNote = 'younger than 15 minutes and a server may be running, so left alone'

async function checkCounters(deps: Deps, check: Check, what: CounterOwner) {
  for (const { id, name, files, bytes, counted_files, counted_bytes } of await findWrongCounters(deps.db, what)) {
    if (check.isRepair) await deps.db.transaction().execute((trx) => correctCounter(trx, what, id))
    const format = (files: number | null, bytes: number) => `${files === null ? '' : `${files} files, `}${bytes} bytes`
    const text = `${what} ${JSON.stringify(name)} (${id}) says ${format(files, bytes)}; there are ${format(counted_files, counted_bytes)}`
    check.report({ kind: 'counter', id, text, ...(check.isRepair && { done: 'counted again' }) })
  }
}
