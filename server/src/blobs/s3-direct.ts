import { BlobError, type BlobStore } from './blob-store.ts'
import { blobKey, newTailKey } from './s3-keys.ts'
import type { Part } from './s3-multipart.ts'
import { partSize } from './s3-parts.ts'
import { type Claim, claim, type S3, save, sizeOf } from './s3-uploads.ts'

type State = Claim['state']
type Awaited = NonNullable<State['awaited']>

/**
 * Parts that somebody else puts into the store, by an address that we sign: an upload goes on by them or by `append`, as its sender
 * likes. The address is that of an object of its own, of just this size, which the store itself then copies into the part: some stores
 * let a part be written again after its object is whole, and who has the address must not change what we have acknowledged.
 */
export function directParts({ client, objects, states }: S3): Pick<BlobStore, 'openPart' | 'closePart'> {
  return {
    async openPart(id, { offset, maxSize, seconds }) {
      const claimed = await claim(states, id, offset)
      const { state } = claimed
      const size = Math.min(partSize(state.parts.length), maxSize - offset)
      // Bytes that are too few for a part of their own must come before the next ones, in the same part.
      const isFit = state.tail === undefined && size > 0
      // Whoever asks again gets the same place: so nobody fills the store by asking.
      if (isFit && state.awaited?.offset !== offset)
        state.awaited = { number: state.next++, key: newTailKey(id, offset), size, offset }
      state.isOpen = false
      await save(states, claimed)
      if (!state.awaited || !isFit) return undefined
      const { number, key } = state.awaited
      return { number, size, url: await client.link('PUT', key, {}, seconds, { 'content-length': String(size) }) }
    },

    async closePart(id, number) {
      const claimed = await claim(states, id)
      const { state } = claimed
      const { awaited } = state
      // Who went on another way meanwhile needs it no longer.
      const isAwaited = awaited?.number === number && awaited.offset === sizeOf(state)
      const isThere = isAwaited && (await objects.head(awaited.key))?.size === awaited.size
      const part = isThere ? await take(id, state, awaited) : undefined
      if (part) {
        state.before = { size: sizeOf(state), parts: state.parts.length }
        state.parts.push(part)
        state.awaited = undefined
      }
      state.isOpen = false
      await save(states, claimed)
      if (!part) throw new BlobError('wrong_offset')
      if (awaited) await objects.remove(awaited.key).catch(ignore) // or it is swept
      return sizeOf(state)
    },
  }

  async function take(id: string, state: State, { number, key, size }: Awaited): Promise<Part | undefined> {
    state.uploadId ??= await objects.begin(blobKey(id))
    const part = await objects.copyPart(blobKey(id), state.uploadId, number, key)
    return part?.size === size ? part : undefined
  }
}

const ignore = () => {}
