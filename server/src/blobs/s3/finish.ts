import { BlobError, type BlobStore, type StoredBlob } from '../blob-store.ts'
import { Checksums } from '../streaming/checksums.ts'
import { createTextBody } from './client/transport.ts'
import { getBlobKey } from './keys.ts'
import { readObjectChunks } from './read.ts'
import { removeLeftovers } from './remove-leftovers.ts'
import { fetchTail } from './tails.ts'
import { type Claim, claimUpload, computeUploadSize, keepChecksums, listTails, type S3, takeChecksums } from './uploads.ts'

/** Creates `finish`, which turns a resumable upload into a blob. */
export function createFinishMethod(s3: S3): Pick<BlobStore, 'finish'> {
  const { objects, states, checksumCache, withLock } = s3
  return {
    finish: (id) =>
      withLock(id, async () => {
        if (!(await states.find(id))) return readFinished(s3, id)
        const claimed = await claimUpload(states, id)
        const { state } = claimed
        const size = computeUploadSize(state)
        let checksums = takeChecksums(checksumCache, claimed)
        try {
          // The object may exist already: a process may have created it, and then have been killed or have lost the response.
          const existing = await objects.head(getBlobKey(id))
          if (existing && existing.size !== size) throw new Error(`Blob ${id} already exists`)
          if (!existing) await createObject(s3, claimed)
          checksums ??= await computeObjectChecksums(s3, id, size)
          await removeLeftovers(s3, id, listTails(state), state.isTorn || state.uploadId !== undefined)
          await states.remove(id)
        } catch (error) {
          keepChecksums(checksumCache, claimed, checksums)
          throw error
        }
        return checksums.end()
      }),
  }
}

async function readFinished(s3: S3, id: string): Promise<StoredBlob> {
  const object = await s3.objects.head(getBlobKey(id))
  if (!object) throw new BlobError('missing')
  return (await computeObjectChecksums(s3, id, object.size)).end()
}

async function createObject(s3: S3, { id, state }: Claim) {
  const { objects } = s3
  const key = getBlobKey(id)
  const rest = state.tail && (await fetchTail(s3, state.tail))
  try {
    if (!state.uploadId) {
      return await objects.put(key, (await rest?.body()) ?? createTextBody(''))
    }
    const last = rest ? [await objects.putPart(key, state.uploadId, state.next, await rest.body())] : []
    await objects.complete(key, state.uploadId, [...state.parts, ...last])
  } finally {
    await rest?.close()
  }
}

/** Computes the checksums of an object that is already in the store. */
async function computeObjectChecksums({ client }: S3, id: string, size: number): Promise<Checksums> {
  const checksums = new Checksums()
  const neverAborted = new AbortController().signal
  for await (const chunk of readObjectChunks(client, getBlobKey(id), size, { start: 0, end: size }, neverAborted))
    checksums.add([chunk])
  return checksums
}
