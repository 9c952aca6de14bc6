import { batchesOf } from './batches.ts'
import { BlobError, type BlobStore } from './blob-store.ts'
import { bodyOf } from './s3-call.ts'
import { abortAll } from './s3-clear.ts'
import { brief } from './s3-client.ts'
import { blobKey } from './s3-keys.ts'
import { PartSender, type Parts } from './s3-parts.ts'
import type { S3 } from './s3-uploads.ts'
import { Tally } from './tally.ts'

/** An upload in one go is nobody's business until it is whole: nothing of it stands in the database. */
export function inOneGo(s3: S3): Pick<BlobStore, 'put'> {
  const { objects, spoolDir, exclusively } = s3

  /** After it has failed. Whoever did not hear what became of the blob removes it. */
  async function abandon(key: string, { uploadId }: Parts, isUnheard: boolean) {
    if (uploadId) await objects.abort(key, uploadId, brief)
    if (isUnheard) await objects.remove(key, brief)
  }

  return {
    put(id, source, { maxSize, signal, whole }) {
      const batches = batchesOf(source, signal)
      return exclusively(id, async () => {
        const key = blobKey(id)
        const upload: Parts = { parts: [], next: 1 }
        const tally = new Tally()
        const sender = new PartSender({ objects, key, spoolDir, upload, maxSize, tally })
        let isSent = false
        try {
          await sender.take(batches)
          await whole
          if (upload.uploadId) await sender.sendRest()
          await sender.settled()
          isSent = true
          if (upload.uploadId) {
            await objects.complete(key, upload.uploadId, upload.parts)
            await abortAll(s3, id).catch(ignore)
          } else await objects.put(key, (await sender.rest?.body()) ?? bodyOf(''))
          return tally.end()
        } catch (error) {
          const isUnheard = isSent && error instanceof BlobError && error.fault === 'unavailable'
          await sender.settled().catch(ignore)
          await abandon(key, upload, isUnheard).catch(ignore)
          throw error
        } finally {
          await sender.close()
        }
      }).finally(batches.stop)
    },
  }
}

const ignore = () => {}
