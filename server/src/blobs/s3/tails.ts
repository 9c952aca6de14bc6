import { BlobError } from '../blob-store.ts'
import { shortLimits } from './client/s3-client.ts'
import { newTailKey } from './keys.ts'
import { readObjectChunks } from './read.ts'
import { openSpool, type Spool } from './spool.ts'
import { type Claim, computeUploadSize, type S3, type Tail } from './uploads.ts'

/** Downloads a tail, for an append that continues from it, or for the last part of a finished upload. */
export async function fetchTail({ client, spoolDir }: S3, { key, size, sha256 }: Tail): Promise<Spool> {
  const spool = await openSpool(spoolDir)
  try {
    const neverAborted = new AbortController().signal
    for await (const chunk of readObjectChunks(client, key, size, { start: 0, end: size }, neverAborted)) await spool.add([chunk])
    if ((await spool.body()).sha256 !== sha256) throw new BlobError('damaged')
    return spool
  } catch (error) {
    await spool.close()
    throw error
  }
}

export async function putTail({ objects }: S3, { id, state }: Claim, rest: Spool): Promise<Tail> {
  const body = await rest.body()
  // No bytes were added: reuse the existing tail.
  if (state.before.tail?.sha256 === body.sha256) return state.before.tail
  const tail = { key: newTailKey(id, computeUploadSize({ parts: state.parts })), size: body.size, sha256: body.sha256 }
  await objects.put(tail.key, body)
  return tail
}

/** Removes a tail that the state no longer references. If that fails, marks the state, so that a later cleanup looks for it. */
export async function removeDroppedTail({ objects }: S3, { state, dropped }: Claim) {
  if (dropped) await objects.remove(dropped.key, shortLimits).catch(() => (state.isTorn = true))
}
