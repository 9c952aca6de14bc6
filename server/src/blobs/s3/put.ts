import { BlobError, type BlobStore } from '../blob-store.ts'
import { readBatches } from '../streaming/batches.ts'
import { Checksums } from '../streaming/checksums.ts'
import { shortLimits } from './client/s3-client.ts'
import { createTextBody } from './client/transport.ts'
import { getBlobKey } from './keys.ts'
import { type MultipartState, PartSender } from './parts.ts'
import { abortUploads } from './remove-leftovers.ts'
import type { S3 } from './uploads.ts'

/** Creates `put`. These uploads have no row in the database. */
export function createPutMethod(s3: S3): Pick<BlobStore, 'put'> {
  const { objects, spoolDir, withLock } = s3

  /** Cleans up after a failure. Also removes the blob if it may exist because the response was lost. */
  async function cleanUp(key: string, { uploadId }: MultipartState, mayExist: boolean) {
    if (uploadId) await objects.abort(key, uploadId, shortLimits)
    if (mayExist) await objects.remove(key, shortLimits)
  }

  return {
    put(id, source, { maxSize, signal, completed }) {
      const batches = readBatches(source, signal)
      return withLock(id, async () => {
        const key = getBlobKey(id)
        const upload: MultipartState = { parts: [], next: 1 }
        const checksums = new Checksums()
        const sender = new PartSender({ objects, key, spoolDir, upload, maxSize, checksums })
        let isCompleting = false
        try {
          await sender.sendBatches(batches)
          await completed
          if (upload.uploadId) await sender.sendRest()
          await sender.whenStored()
          // From here on, a lost response may hide that the blob exists.
          isCompleting = true
          if (upload.uploadId) {
            await objects.complete(key, upload.uploadId, upload.parts)
            await abortUploads(s3, id).catch(ignore)
          } else await objects.put(key, (await sender.rest?.body()) ?? createTextBody(''))
          return checksums.end()
        } catch (error) {
          const mayExist = isCompleting && error instanceof BlobError && error.fault === 'unavailable'
          await sender.whenStored().catch(ignore)
          await cleanUp(key, upload, mayExist).catch(ignore)
          throw error
        } finally {
          await sender.close()
        }
      }).finally(batches.stop)
    },
  }
}

const ignore = () => {}
