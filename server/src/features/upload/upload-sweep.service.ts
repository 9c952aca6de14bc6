import type { Deps } from '../../deps.ts'
import { type Entry, record } from '../audit/audit.service.ts'
import { throwAppError } from '../file/file.service.ts'
import { isUnfinishedUpload } from '../integrity/integrity.repo.ts'
import { deleteUpload, listExpiredUploads, setProgress } from './upload.repo.ts'
import { endUploadsOf, findStalledUploads } from './upload-list.repo.ts'
import { lockUpload } from './upload-lock.service.ts'

const sweepBatchSize = 500
/** After this time without progress, an upload loses the room it reserved ahead, and is removed if its sender can't send more. */
const stalledAfterMs = 60 * 60_000

/** Deletes the row of an upload and records the entries. Discards its bytes, too, unless it became a file before it could be locked. */
export async function discardUpload(deps: Deps, id: string, entries: Entry[] = []): Promise<void> {
  await using _ = await lockUpload(deps, id)
  if (await isUnfinishedUpload(deps.db, id)) await deps.blobs.discard(id).catch(throwAppError)
  await deps.db.transaction().execute(async (trx) => {
    await deleteUpload(trx, id)
    await record(deps, trx, entries)
  })
}

/**
 * Lists the uploads that one sweep removes: ended ones, stalled ones whose sender can't send more, and the rows of those that became files
 * long ago.
 */
export async function listEndedUploads(deps: Deps): Promise<{ id: string; name: string; finished_at: string | null }[]> {
  const stalled = (await listStalledUploads(deps)).filter(({ is_closed }) => is_closed)
  const ended = await listExpiredUploads(deps.db, deps.now().toISOString(), sweepBatchSize)
  return [...ended, ...stalled.map(({ id, name }) => ({ id, name, finished_at: null }))]
}

const listStalledUploads = (deps: Deps) => {
  const now = deps.now()
  return findStalledUploads(deps.db, new Date(now.getTime() - stalledAfterMs).toISOString(), now.toISOString(), sweepBatchSize)
}

/** Removes ended uploads, and releases the room that a crashed process had reserved ahead. */
export async function sweepUploads(deps: Deps): Promise<void> {
  for (const { id, finished_at } of await listEndedUploads(deps))
    await logFailureOf(deps, id, () => (finished_at ? deleteUpload(deps.db, id) : discardUpload(deps, id)))
  for (const { id, is_closed } of await listStalledUploads(deps))
    if (!is_closed) await logFailureOf(deps, id, () => releaseReserved(deps, id))
}

/** Reduces the reservation of an upload to the bytes that have arrived. */
export async function releaseReserved(deps: Deps, id: string): Promise<void> {
  const received = await deps.blobs.getReceivedSize(id)
  await setProgress(deps.db, id, deps.now().toISOString(), { received, reserved: received })
}

/** Runs the work on one upload. Only logs a failure, so that the sweep continues with the next upload. */
async function logFailureOf(deps: Deps, id: string, work: () => Promise<unknown>) {
  try {
    await work()
  } catch (err) {
    deps.log.error({ err, upload: id }, 'could not sweep an upload')
  }
}

/**
 * Ends all unfinished uploads of these links. Pass the ids it returns to `removeEndedUploads` once the transaction is committed.
 */
export const endUploads = async (deps: Deps, trx: Deps['db'], links: string[]): Promise<string[]> =>
  (await endUploadsOf(trx, links, deps.now().toISOString())).map(({ id }) => id)

/** Removes the bytes and the rows of uploads that have ended. The next sweep retries what fails here. */
export async function removeEndedUploads(deps: Deps, ids: string[]): Promise<void> {
  await Promise.all(ids.map((id) => logFailureOf(deps, id, () => discardUpload(deps, id))))
}
