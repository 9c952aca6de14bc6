import { BlobError, type BlobStore, type Stored } from './blob-store.ts'
import { bodyOf } from './s3-call.ts'
import { clear } from './s3-clear.ts'
import { blobKey } from './s3-keys.ts'
import { chunksOf } from './s3-read.ts'
import { fetchTail } from './s3-tails.ts'
import { type Claim, claim, keepTally, type S3, sizeOf, tailsOf, takeTally } from './s3-uploads.ts'
import { Tally } from './tally.ts'

/** Makes a blob of an upload that resumed. */
export function finishing(s3: S3): Pick<BlobStore, 'finish'> {
  const { objects, states, tallies, exclusively } = s3
  return {
    finish: (id) =>
      exclusively(id, async () => {
        if (!(await states.find(id))) return finishedBefore(s3, id)
        const claimed = await claim(states, id)
        const { state } = claimed
        const size = sizeOf(state)
        let tally = takeTally(tallies, claimed)
        try {
          // A process may have been killed, or answered by nobody, right after it made this one.
          const there = await objects.head(blobKey(id))
          if (there && there.size !== size) throw new Error(`There is a blob ${id} already`)
          if (!there) await make(s3, claimed)
          tally ??= await tallyOf(s3, id, size)
          await clear(s3, id, tailsOf(state), state.isTorn || state.uploadId !== undefined)
          await states.remove(id)
        } catch (error) {
          keepTally(tallies, claimed, tally)
          throw error
        }
        return tally.end()
      }),
  }
}

async function finishedBefore(s3: S3, id: string): Promise<Stored> {
  const there = await s3.objects.head(blobKey(id))
  if (!there) throw new BlobError('missing')
  return (await tallyOf(s3, id, there.size)).end()
}

async function make(s3: S3, { id, state }: Claim) {
  const { objects } = s3
  const key = blobKey(id)
  const rest = state.tail && (await fetchTail(s3, state.tail))
  try {
    if (!state.uploadId) {
      return await objects.put(key, (await rest?.body()) ?? bodyOf(''))
    }
    const last = rest ? [await objects.putPart(key, state.uploadId, state.next, await rest.body())] : []
    await objects.complete(key, state.uploadId, [...state.parts, ...last])
  } finally {
    await rest?.close()
  }
}

/** Takes the sums of bytes that are at the store already. */
async function tallyOf({ client }: S3, id: string, size: number): Promise<Tally> {
  const tally = new Tally()
  const never = new AbortController().signal
  for await (const chunk of chunksOf(client, blobKey(id), size, { start: 0, end: size }, never)) tally.add([chunk])
  return tally
}
