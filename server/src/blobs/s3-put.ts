import { readBatches } from './batches.ts'
import { BlobError, type BlobStore } from './blob-store.ts'
import { createTextBody } from './s3-call.ts'
import { abortUploads } from './s3-clear.ts'
import { shortLimits } from './s3-client.ts'
import { blobKey } from './s3-keys.ts'
import { type MultipartState, PartSender } from './s3-parts.ts'
import type { S3 } from './s3-uploads.ts'
import { Tally } from './tally.ts'

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
        const key = blobKey(id)
        const upload: MultipartState = { parts: [], next: 1 }
        const tally = new Tally()
        const sender = new PartSender({ objects, key, spoolDir, upload, maxSize, tally })
        let isSent = false
        try {
          await sender.sendBatches(batches)
          await completed
          if (upload.uploadId) await sender.sendRest()
          await sender.whenStored()
          isSent = true
          if (upload.uploadId) {
            await objects.complete(key, upload.uploadId, upload.parts)
            await abortUploads(s3, id).catch(ignore)
          } else await objects.put(key, (await sender.rest?.body()) ?? createTextBody(''))
          return tally.end()
        } catch (error) {
          const mayExist = isSent && error instanceof BlobError && error.fault === 'unavailable'
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
