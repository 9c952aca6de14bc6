import { getBlobKey, getTailPrefix } from './keys.ts'
import type { S3, Tail } from './uploads.ts'

/** Aborts all multipart uploads of a blob, including one whose CreateMultipartUpload response was lost. */
export async function abortUploads({ objects }: S3, id: string) {
  for await (const { key, uploadId } of objects.listUnfinished(getBlobKey(id)))
    if (key === getBlobKey(id)) await objects.abort(key, uploadId)
}

/** Removes the known objects that an upload left behind. With `isThorough`, also looks for objects that no row lists. */
export async function removeLeftovers(s3: S3, id: string, known: Tail[], isThorough: boolean) {
  const keys = new Set(known.map(({ key }) => key))
  if (isThorough) {
    await abortUploads(s3, id)
    for await (const { key } of s3.objects.list(getTailPrefix(id))) keys.add(key)
  }
  for (const key of keys) await s3.objects.remove(key)
}
