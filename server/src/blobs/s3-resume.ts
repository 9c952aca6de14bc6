import { batchesOf, reservedBatches } from './batches.ts'
import { checked } from './blob-id.ts'
import { BlobError, type BlobStore } from './blob-store.ts'
import { clear } from './s3-clear.ts'
import { blobKey } from './s3-keys.ts'
import { PartSender } from './s3-parts.ts'
import { fetchTail, forgetTail, putTail } from './s3-tails.ts'
import { type Claim, claim, keepTally, newState, type S3, save, sizeOf, takeTally } from './s3-uploads.ts'
import type { Tally } from './tally.ts'

type Resuming = Pick<BlobStore, 'create' | 'append' | 'rewind' | 'received' | 'discard'>

/** An upload that resumes has a row that says which parts there are, and keeps its last bytes, which are no full part yet, as a tail. */
export function resuming(s3: S3): Resuming {
  const { objects, states, tallies, exclusively } = s3
  return {
    create: (id) => exclusively(id, () => states.create(id, newState())),

    append(id, source, { offset, maxSize, signal, reserve }) {
      const batches = batchesOf(source, signal)
      return exclusively(id, async () => {
        const claimed = await claim(states, id, offset)
        const tally = takeTally(tallies, claimed)
        const forgotten = forgetTail(s3, claimed)
        const sender = await senderOf(s3, claimed, maxSize, tally)
        try {
          const failure = await sender.take(reservedBatches(batches, offset, reserve)).then(() => undefined, keptFailure)
          await forgotten
          await keepRest(s3, claimed, sender, maxSize)
          keepTally(tallies, claimed, tally)
          if (failure) throw failure
          return sender.size
        } finally {
          await sender.close()
        }
      }).finally(batches.stop)
    },

    rewind: (id, size) =>
      exclusively(id, async () => {
        tallies.drop(id)
        const claimed = await claim(states, id)
        takeBack(claimed, size)
        claimed.state.isOpen = false
        await save(states, claimed)
        await forgetTail(s3, claimed)
      }),

    async received(id) {
      const { size } = (await states.find(checked(id))) ?? (await objects.head(blobKey(id))) ?? {}
      if (size === undefined) throw new BlobError('missing')
      return size
    },

    discard: (id) =>
      exclusively(id, async () => {
        tallies.drop(id)
        // First of all, so that nobody goes on writing it.
        await states.remove(id)
        await clear(s3, id, [], true)
      }),
  }
}

/** Goes on from the tail, if there is one. */
async function senderOf(s3: S3, claimed: Claim, maxSize: number, tally: Tally | undefined) {
  const { objects, spoolDir, states } = s3
  const { id, state } = claimed
  const rest = state.tail && (await fetchTail(s3, state.tail))
  state.tail = undefined
  const onPart = () => save(states, claimed)
  return new PartSender({ objects, key: blobKey(id), spoolDir, upload: state, rest, maxSize, tally, onPart })
}

/** What an append brought is safe before it answers: as a part where it can be one, as a tail otherwise. */
async function keepRest(s3: S3, claimed: Claim, sender: PartSender, maxSize: number) {
  const { state } = claimed
  const canBePart = sender.isFull() || (state.uploadId !== undefined && sender.size === maxSize)
  if (canBePart) await sender.sendRest()
  await sender.settled()
  state.tail = sender.rest && (await putTail(s3, claimed, sender.rest))
  state.isOpen = false
  await save(s3.states, claimed)
}

/** To where the last append began, if there is more than that now. */
function takeBack(claimed: Claim, size: number) {
  const { state } = claimed
  const { before, parts, tail } = state
  if (size >= sizeOf(state)) return
  if (size !== before.size) throw new Error(`An upload can be rewound to where its last append began, not to ${size}`)
  if (tail?.key !== before.tail?.key) claimed.dropped = tail
  Object.assign(state, { parts: parts.slice(0, before.parts), tail: before.tail, isTorn: true })
}

/** Ends of an append that keep what came. Anything else is thrown. */
function keptFailure(error: unknown): BlobError {
  if (error instanceof BlobError && ['cut', 'too_large'].includes(error.fault)) return error
  throw error
}
