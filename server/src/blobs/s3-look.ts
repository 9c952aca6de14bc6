import { checked } from './blob-id.ts'
import type { BlobStore } from './blob-store.ts'
import { blobKey, blobPrefix, idOfBlob, idOfTail, tailPrefix, uploadPrefix } from './s3-keys.ts'
import type { S3 } from './s3-uploads.ts'

type Look = Pick<BlobStore, 'uploads' | 'blobs' | 'sizeOf' | 'strays' | 'removeStray' | 'changedAt'>

const pageSize = 500

/** What lies in the bucket: for the sweep and the check. */
export function s3Look(s3: S3): Look {
  const { objects, states } = s3
  return {
    async *uploads() {
      for (let after = ''; ; ) {
        const page = await states.list(after, pageSize)
        yield* page
        after = page.at(-1) ?? ''
        if (page.length < pageSize) break
      }
      yield* leftBehind(s3)
    },

    async *blobs() {
      for await (const { key } of objects.list(blobPrefix)) {
        const id = idOfBlob(key)
        if (id !== undefined) yield id
      }
    },

    sizeOf: async (id) => (await objects.head(blobKey(id)))?.size,

    async *strays() {
      for await (const { key } of objects.list(blobPrefix)) if (idOfBlob(key) === undefined) yield { place: key, isLink: false }
      for await (const { key } of objects.list(uploadPrefix)) {
        const id = idOfTail(key)
        // The tail of an upload that was finished: left by somebody who came too late.
        const isOurs = id !== undefined && ((await states.find(id)) || !(await objects.head(blobKey(id))))
        if (!isOurs) yield { place: key, isLink: false }
      }
    },

    removeStray: (place) => objects.remove(place),

    async changedAt(id) {
      const known = (await states.find(checked(id))) ?? (await objects.head(blobKey(id)))
      return known ? known.changedAt : lastSign(s3, id)
    },
  }
}

/** Ids of which something is at the store that has no row: left by a process that was killed, or by one that is at it right now. */
async function* leftBehind({ objects, states }: S3) {
  const seen = new Set<string>()
  const isNew = async (id: string | undefined) => {
    if (id === undefined || seen.has(id)) return false
    seen.add(id)
    return !(await states.find(id))
  }
  for await (const { key } of objects.unfinished(blobPrefix)) {
    const id = idOfBlob(key)
    if (id && (await isNew(id))) yield id
  }
  for await (const { key } of objects.list(uploadPrefix)) {
    const id = idOfTail(key)
    if (id && (await isNew(id)) && !(await objects.head(blobKey(id)))) yield id
  }
}

/** When the last part or tail came of an upload that has no row. */
async function lastSign({ objects }: S3, id: string): Promise<Date | undefined> {
  let last: Date | undefined
  const note = (at: Date) => {
    if (!last || at > last) last = at
  }
  for await (const { key, uploadId, begunAt } of objects.unfinished(blobKey(id)))
    note((await objects.grownAt(key, uploadId)) ?? begunAt)
  for await (const { changedAt } of objects.list(tailPrefix(id))) note(changedAt)
  return last
}
