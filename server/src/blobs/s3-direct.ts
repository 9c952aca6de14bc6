import { BlobError, type BlobStore } from './blob-store.ts'
import type { S3Client } from './s3-client.ts'
import type { S3Objects } from './s3-objects.ts'
import { partSize } from './s3-parts.ts'
import { claim, save, sizeOf, type UploadStates } from './s3-uploads.ts'

interface Direct {
  client: S3Client
  objects: S3Objects
  states: UploadStates
  keyOf: (id: string) => string
}

/**
 * Parts that somebody else puts into the store, by an address that we sign: an upload goes on by them or by `append`, as its sender
 * likes. A part counts once the store itself has said that it is there, and how large it is.
 */
export function directParts({ client, objects, states, keyOf }: Direct): Required<Pick<BlobStore, 'openPart' | 'closePart'>> {
  return {
    async openPart(id, { offset, maxSize, seconds }) {
      const claimed = await claim(states, id, offset)
      const { state } = claimed
      const size = Math.min(partSize(state.parts.length), maxSize - offset)
      // Bytes that are too few for a part of their own must come before the next ones, in the same part.
      const isFit = state.tail === undefined && size > 0
      if (isFit) {
        state.uploadId ??= await objects.begin(keyOf(id))
        state.awaited = { number: state.next++, size, offset }
      }
      state.isOpen = false
      await save(states, claimed)
      if (!state.awaited || !state.uploadId || !isFit) return undefined
      const { number } = state.awaited
      const query = { partNumber: String(number), uploadId: state.uploadId }
      return { number, size, url: await client.link('PUT', keyOf(id), query, seconds) }
    },

    async closePart(id, number) {
      const claimed = await claim(states, id)
      const { state } = claimed
      const { awaited, uploadId = '' } = state
      // Who went on another way meanwhile needs it no longer.
      const isAwaited = awaited?.number === number && awaited.offset === sizeOf(state)
      const part = isAwaited ? await objects.findPart(keyOf(id), uploadId, number) : undefined
      const isWhole = part !== undefined && part.size === awaited?.size
      if (isWhole) {
        state.before = { size: sizeOf(state), parts: state.parts.length }
        state.parts.push(part)
      }
      state.awaited = undefined
      state.isOpen = false
      await save(states, claimed)
      if (!isWhole) throw new BlobError('wrong_offset')
      return sizeOf(state)
    },
  }
}
