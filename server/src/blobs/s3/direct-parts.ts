import { BlobError, type BlobStore } from '../blob-store.ts'
import type { Part } from './client/multipart.ts'
import { getBlobKey, newTailKey } from './keys.ts'
import { getPartSize } from './parts.ts'
import { type Claim, claimUpload, computeUploadSize, type S3, saveClaim } from './uploads.ts'

type State = Claim['state']
type AwaitedPart = NonNullable<State['awaited']>

/**
 * Lets clients upload parts directly to the store with presigned URLs. A client may mix these with `append`. The URL is for a
 * separate object of exactly the part's size, which the store then copies into the part. This prevents a client from changing bytes
 * that we have acknowledged: some stores let a part be overwritten even after its upload is complete.
 */
export function createDirectPartMethods({ client, objects, states }: S3): Pick<BlobStore, 'openPart' | 'closePart'> {
  return {
    async openPart(id, { offset, maxSize, seconds }) {
      const claimed = await claimUpload(states, id, offset)
      const { state } = claimed
      const size = Math.min(getPartSize(state.parts.length), maxSize - offset)
      // A tail must be in the same part as the bytes that follow it, so these bytes have to go through `append`.
      const isAllowed = state.tail === undefined && size > 0
      // Repeated calls return the same key, so that a client can't fill the store with objects.
      if (isAllowed && state.awaited?.offset !== offset)
        state.awaited = { number: state.next++, key: newTailKey(id, offset), size, offset }
      state.isOpen = false
      await saveClaim(states, claimed)
      if (!state.awaited || !isAllowed) return undefined
      const { number, key } = state.awaited
      return { number, size, url: await client.presign('PUT', key, {}, seconds, { 'content-length': String(size) }) }
    },

    async closePart(id, number) {
      const claimed = await claimUpload(states, id)
      const { state } = claimed
      const { awaited } = state
      // The part is obsolete if the upload has grown in another way meanwhile.
      const isAwaited = awaited?.number === number && awaited.offset === computeUploadSize(state)
      const isComplete = isAwaited && (await objects.head(awaited.key))?.size === awaited.size
      const part = isComplete ? await copyIntoPart(id, state, awaited) : undefined
      if (part) {
        state.before = { size: computeUploadSize(state), parts: state.parts.length }
        state.parts.push(part)
        state.awaited = undefined
      }
      state.isOpen = false
      await saveClaim(states, claimed)
      if (!part) throw new BlobError('wrong_offset')
      if (awaited) await objects.remove(awaited.key).catch(ignore) // the sweep removes what stays behind
      return computeUploadSize(state)
    },
  }

  async function copyIntoPart(id: string, state: State, { number, key, size }: AwaitedPart): Promise<Part | undefined> {
    state.uploadId ??= await objects.begin(getBlobKey(id))
    const part = await objects.copyPart(getBlobKey(id), state.uploadId, number, key)
    return part?.size === size ? part : undefined
  }
}

const ignore = () => {}
