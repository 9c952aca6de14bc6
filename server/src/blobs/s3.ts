import { mkdir } from 'node:fs/promises'
import { attachmentHeader } from '../lib/content-disposition.ts'
import { BlobError, type BlobStore } from './blob-store.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { brief, openS3Client } from './s3-client.ts'
import { directParts } from './s3-direct.ts'
import { finishing } from './s3-finish.ts'
import { blobKey } from './s3-keys.ts'
import { s3Look } from './s3-look.ts'
import { s3Objects } from './s3-objects.ts'
import { openBucket } from './s3-open.ts'
import { inOneGo } from './s3-put.ts'
import { openS3Blob } from './s3-read.ts'
import { resuming } from './s3-resume.ts'
import type { S3Settings } from './s3-sign.ts'
import type { S3, UploadStates } from './s3-uploads.ts'
import { Tallies } from './tallies.ts'

/**
 * Blobs as objects `blobs/<id>` in a bucket, for any number of nodes. Bytes wait in a file without a name until they are a part; full
 * parts go to the store. An upload in one go is nobody's business until it is whole: nothing of it stands in the database. One that
 * resumes has a row that says which parts there are, and keeps its last bytes, which are no full part yet, as `uploads/<id>/…`.
 * No key and no part number is written twice, so that no store can give back older bytes.
 *
 * Fails, with a sentence for the operator, where that cannot work.
 */
export async function openS3Blobs(
  settings: S3Settings,
  { states, spoolDir }: { states: UploadStates; spoolDir: string },
): Promise<BlobStore> {
  const client = openS3Client(settings)
  const objects = s3Objects(client)
  await openBucket(client, settings)
  await mkdir(spoolDir, { recursive: true, mode: 0o700 })
  const s3: S3 = { client, objects, states, spoolDir, tallies: new Tallies(), exclusively: oneAtATime() }
  return {
    ...inOneGo(s3),
    ...resuming(s3),
    ...finishing(s3),
    ...directParts(s3),
    ...finished(s3),
    ...s3Look(s3),
    space: async () => ({ free: Infinity, total: Infinity }),
    check: async () => void (await client.ask({ method: 'HEAD' }, [200], brief)),
  }
}

/** What is done with a blob once it is one. */
function finished({ client, objects }: S3): Pick<BlobStore, 'open' | 'remove' | 'link'> {
  return {
    async open(id, size) {
      const there = await objects.head(blobKey(id))
      if (there?.size !== size) throw new BlobError('damaged')
      return openS3Blob(client, blobKey(id), size)
    },

    remove: async (id) => objects.remove(blobKey(id)),

    link: (id, { name, type, seconds }) => {
      const query = { 'response-content-disposition': attachmentHeader(name), 'response-content-type': type }
      return client.link('GET', blobKey(id), query, seconds)
    },
  }
}
