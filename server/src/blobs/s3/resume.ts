import { checkBlobId } from '../blob-id.ts'
import { BlobError, type BlobStore } from '../blob-store.ts'
import { readBatches, reserveBatches } from '../streaming/batches.ts'
import type { Checksums } from '../streaming/checksums.ts'
import { getBlobKey } from './keys.ts'
import { PartSender } from './parts.ts'
import { removeLeftovers } from './remove-leftovers.ts'
import { fetchTail, putTail, removeDroppedTail } from './tails.ts'
import {
  type Claim,
  claimUpload,
  computeUploadSize,
  createStateRow,
  keepChecksums,
  type S3,
  saveClaim,
  takeChecksums,
} from './uploads.ts'

type ResumableMethods = Pick<BlobStore, 'create' | 'append' | 'rewind' | 'getReceivedSize' | 'discard'>

/** Creates the methods for resumable uploads. A row lists the parts; last bytes that don't fill a part are stored as a tail. */
export function createResumableMethods(s3: S3): ResumableMethods {
  const { objects, states, checksumCache, withLock } = s3
  return {
    create: (id) => withLock(id, () => states.create(id, createStateRow())),

    append(id, source, { offset, maxSize, signal, reserve }) {
      const batches = readBatches(source, signal)
      return withLock(id, async () => {
        const claimed = await claimUpload(states, id, offset)
        const checksums = takeChecksums(checksumCache, claimed)
        const tailRemoved = removeDroppedTail(s3, claimed)
        const sender = await createSender(s3, claimed, maxSize, checksums)
        try {
          const failure = await sender
            .sendBatches(reserveBatches(batches, offset, reserve))
            .then(() => undefined, returnIfResumable)
          await tailRemoved
          await storeRest(s3, claimed, sender, maxSize)
          keepChecksums(checksumCache, claimed, checksums)
          if (failure) throw failure
          return sender.size
        } finally {
          await sender.close()
        }
      }).finally(batches.stop)
    },

    rewind: (id, size) =>
      withLock(id, async () => {
        checksumCache.drop(id)
        const claimed = await claimUpload(states, id)
        rewindState(claimed, size)
        claimed.state.isOpen = false
        await saveClaim(states, claimed)
        await removeDroppedTail(s3, claimed)
      }),

    async getReceivedSize(id) {
      const { size } = (await states.find(checkBlobId(id))) ?? (await objects.head(getBlobKey(id))) ?? {}
      if (size === undefined) throw new BlobError('missing')
      return size
    },

    discard: (id) =>
      withLock(id, async () => {
        checksumCache.drop(id)
        // The row is removed first, so that no other node can continue to write to the upload.
        await states.remove(id)
        await removeLeftovers(s3, id, [], true)
      }),
  }
}

/** Creates a sender that continues from the stored parts and the tail. Clears `state.tail`, because the sender now has its bytes. */
async function createSender(s3: S3, claimed: Claim, maxSize: number, checksums: Checksums | undefined) {
  const { objects, spoolDir, states } = s3
  const { id, state } = claimed
  const rest = state.tail && (await fetchTail(s3, state.tail))
  state.tail = undefined
  const onPart = () => saveClaim(states, claimed)
  return new PartSender({ objects, key: getBlobKey(id), spoolDir, upload: state, rest, maxSize, checksums, onPart })
}

/** Stores the rest before the append returns: as a part if it can be one, otherwise as a tail. */
async function storeRest(s3: S3, claimed: Claim, sender: PartSender, maxSize: number) {
  const { state } = claimed
  // Only the last part may be shorter than the others. At `maxSize`, the rest is the last part, because no more bytes follow.
  const canBePart = sender.isFull() || (state.uploadId !== undefined && sender.size === maxSize)
  if (canBePart) await sender.sendRest()
  await sender.whenStored()
  state.tail = sender.rest && (await putTail(s3, claimed, sender.rest))
  state.isOpen = false
  await saveClaim(s3.states, claimed)
}

/** Truncates the state to `size`, which must be where the last append started. Does nothing if the upload isn't larger than `size`. */
function rewindState(claimed: Claim, size: number) {
  const { state } = claimed
  const { before, parts, tail } = state
  if (size >= computeUploadSize(state)) return
  if (size !== before.size) throw new Error(`An upload can only be rewound to the start of its last append, not to ${size}`)
  if (tail?.key !== before.tail?.key) claimed.dropped = tail
  Object.assign(state, { parts: parts.slice(0, before.parts), tail: before.tail, isTorn: true })
}

/** Returns the error if the bytes received before it are kept. Throws any other error. */
function returnIfResumable(error: unknown): BlobError {
  if (error instanceof BlobError && ['cut', 'too_large'].includes(error.fault)) return error
  throw error
}
