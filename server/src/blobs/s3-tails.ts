import { BlobError } from './blob-store.ts'
import { brief } from './s3-client.ts'
import { newTailKey } from './s3-keys.ts'
import { chunksOf } from './s3-read.ts'
import { openSpool, type Spool } from './s3-spool.ts'
import { type Claim, type S3, sizeOf, type Tail } from './s3-uploads.ts'

/** The bytes of a tail, to go on from. */
export async function fetchTail({ client, spoolDir }: S3, { key, size, sha256 }: Tail): Promise<Spool> {
  const spool = await openSpool(spoolDir)
  try {
    const never = new AbortController().signal
    for await (const chunk of chunksOf(client, key, size, { start: 0, end: size }, never)) await spool.add([chunk])
    if ((await spool.body()).sha256 !== sha256) throw new BlobError('damaged')
    return spool
  } catch (error) {
    await spool.close()
    throw error
  }
}

export async function putTail({ objects }: S3, { id, state }: Claim, rest: Spool): Promise<Tail> {
  const body = await rest.body()
  // Nothing came: what is there already will do.
  if (state.before.tail?.sha256 === body.sha256) return state.before.tail
  const tail = { key: newTailKey(id, sizeOf({ parts: state.parts })), size: body.size, sha256: body.sha256 }
  await objects.put(tail.key, body)
  return tail
}

/** Removes a tail that is named no longer. Where that fails, somebody will have to look for it. */
export async function forgetTail({ objects }: S3, { state, dropped }: Claim) {
  if (dropped) await objects.remove(dropped.key, brief).catch(() => (state.isTorn = true))
}
