import { blobKey, tailPrefix } from './s3-keys.ts'
import type { S3, Tail } from './s3-uploads.ts'

/** Parts of an object that will not be: also those of a beginning whose answer was lost. */
export async function abortAll({ objects }: S3, id: string) {
  for await (const { key, uploadId } of objects.unfinished(blobKey(id)))
    if (key === blobKey(id)) await objects.abort(key, uploadId)
}

/** Everything an upload left at the store, except for the blob. */
export async function clear(s3: S3, id: string, known: Tail[], isThorough: boolean) {
  const keys = new Set(known.map(({ key }) => key))
  if (isThorough) {
    await abortAll(s3, id)
    for await (const { key } of s3.objects.list(tailPrefix(id))) keys.add(key)
  }
  for (const key of keys) await s3.objects.remove(key)
}
