import { mkdir } from 'node:fs/promises'
import { formatAttachmentHeader } from '../../lib/net/content-disposition.ts'
import { BlobError, type BlobStore } from '../blob-store.ts'
import { ChecksumCache } from '../streaming/checksum-cache.ts'
import { createUploadLock } from '../streaming/upload-lock.ts'
import { openS3Client, shortLimits } from './client/s3-client.ts'
import type { S3Settings } from './client/signer.ts'
import { createDirectPartMethods } from './direct-parts.ts'
import { createFinishMethod } from './finish.ts'
import { getBlobKey } from './keys.ts'
import { createS3Objects } from './objects.ts'
import { ensureBucket } from './open-bucket.ts'
import { createPutMethod } from './put.ts'
import { openS3Blob } from './read.ts'
import { createResumableMethods } from './resume.ts'
import { createS3Listing } from './s3-listing.ts'
import type { S3, UploadStates } from './uploads.ts'

/**
 * Opens a store that keeps blobs as objects `blobs/<id>` in a bucket, for any number of nodes. Bytes are spooled to an unnamed
 * file until a part is full; full parts are sent to the store. An upload in a single request has no row in the database. A
 * resumable upload has a row that lists its parts; its last bytes, which don't fill a part yet, are the object
 * `uploads/<id>/…` (the tail). No key and no part number is written twice, so an eventually consistent store can never return
 * older bytes.
 *
 * If the bucket can't be used, throws an error that tells the operator what to fix.
 */
export async function openS3Blobs(
  settings: S3Settings,
  { states, spoolDir }: { states: UploadStates; spoolDir: string },
): Promise<BlobStore> {
  const client = openS3Client(settings)
  const objects = createS3Objects(client)
  await ensureBucket(client, settings)
  await mkdir(spoolDir, { recursive: true, mode: 0o700 })
  const s3: S3 = { client, objects, states, spoolDir, checksumCache: new ChecksumCache(), withLock: createUploadLock() }
  return {
    ...createPutMethod(s3),
    ...createResumableMethods(s3),
    ...createFinishMethod(s3),
    ...createDirectPartMethods(s3),
    ...createBlobMethods(s3),
    ...createS3Listing(s3),
    getSpace: async () => ({ free: Infinity, total: Infinity }),
    check: async () => void (await client.request({ method: 'HEAD' }, [200], shortLimits)),
  }
}

/** Creates the methods for finished blobs. */
function createBlobMethods({ client, objects }: S3): Pick<BlobStore, 'open' | 'remove' | 'presignDownload'> {
  return {
    async open(id, size) {
      const object = await objects.head(getBlobKey(id))
      if (object?.size !== size) throw new BlobError('damaged')
      return openS3Blob(client, getBlobKey(id), size)
    },

    remove: async (id) => objects.remove(getBlobKey(id)),

    presignDownload: (id, { name, type, seconds }) => {
      const query = { 'response-content-disposition': formatAttachmentHeader(name), 'response-content-type': type }
      return client.presign('GET', getBlobKey(id), query, seconds)
    },
  }
}
