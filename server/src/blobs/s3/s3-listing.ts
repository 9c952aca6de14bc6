import { checkBlobId } from '../blob-id.ts'
import type { BlobStore } from '../blob-store.ts'
import { blobPrefix, getBlobKey, getTailPrefix, parseBlobKey, parseTailKey, uploadPrefix } from './keys.ts'
import type { S3 } from './uploads.ts'

type Listing = Pick<BlobStore, 'listUploads' | 'listBlobs' | 'getSize' | 'listStrays' | 'removeStray' | 'getChangeTime'>

const pageSize = 500

/** Creates the methods that list what is in the bucket, for the sweep and `neptune fsck`. */
export function createS3Listing(s3: S3): Listing {
  const { objects, states } = s3
  return {
    async *listUploads() {
      for (let after = ''; ; ) {
        const page = await states.list(after, pageSize)
        yield* page
        after = page.at(-1) ?? ''
        if (page.length < pageSize) break
      }
      yield* listLeftovers(s3)
    },

    async *listBlobs() {
      for await (const { key } of objects.list(blobPrefix)) {
        const id = parseBlobKey(key)
        if (id !== undefined) yield id
      }
    },

    getSize: async (id) => (await objects.head(getBlobKey(id)))?.size,

    async *listStrays() {
      for await (const { key } of objects.list(blobPrefix))
        if (parseBlobKey(key) === undefined) yield { path: key, isLink: false }
      for await (const { key } of objects.list(uploadPrefix)) {
        const id = parseTailKey(key)
        // If a tail has no row, but its blob exists, it was left behind when the upload was finished.
        const isOurs = id !== undefined && ((await states.find(id)) || !(await objects.head(getBlobKey(id))))
        if (!isOurs) yield { path: key, isLink: false }
      }
    },

    removeStray: (path) => objects.remove(path),

    async getChangeTime(id) {
      const existing = (await states.find(checkBlobId(id))) ?? (await objects.head(getBlobKey(id)))
      return existing ? existing.changedAt : findLastActivity(s3, id)
    },
  }
}

/** Lists the ids of parts and tails without a row. They belong to a killed process, or to a running single-request upload. */
async function* listLeftovers({ objects, states }: S3) {
  const seen = new Set<string>()
  const isNew = async (id: string | undefined) => {
    if (id === undefined || seen.has(id)) return false
    seen.add(id)
    return !(await states.find(id))
  }
  for await (const { key } of objects.listUnfinished(blobPrefix)) {
    const id = parseBlobKey(key)
    if (id && (await isNew(id))) yield id
  }
  for await (const { key } of objects.list(uploadPrefix)) {
    const id = parseTailKey(key)
    if (id && (await isNew(id)) && !(await objects.head(getBlobKey(id)))) yield id
  }
}

/** Returns when the last part or tail of an upload without a row was stored. */
async function findLastActivity({ objects }: S3, id: string): Promise<Date | undefined> {
  let last: Date | undefined
  const update = (at: Date) => {
    if (!last || at > last) last = at
  }
  for await (const { key, uploadId, initiatedAt } of objects.listUnfinished(getBlobKey(id)))
    update((await objects.findLastPartTime(key, uploadId)) ?? initiatedAt)
  for await (const { changedAt } of objects.list(getTailPrefix(id))) update(changedAt)
  return last
}
