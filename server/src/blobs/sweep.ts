import type { BlobStore } from './blob-store.ts'

interface Sweep {
  /** Bytes that changed later are left alone: their row may be about to be written. */
  before: Date
  /** Returns those of the ids that are still referenced: by files, including the trash, or by unfinished uploads. */
  findReferenced: (ids: string[]) => Promise<Set<string>>
  dryRun?: boolean
}

/** Removes bytes that no row references, left by a crash or an abandoned upload. Returns their ids. */
export async function sweep(store: BlobStore, { dryRun = false, ...options }: Sweep) {
  const swept: { uploads: string[]; blobs: string[] } = { uploads: [], blobs: [] }
  for await (const id of findOrphans(store, store.listUploads(), options)) {
    if (!dryRun) await store.discard(id)
    swept.uploads.push(id)
  }
  for await (const id of findOrphans(store, store.listBlobs(), options)) {
    if (!dryRun) await store.remove(id)
    swept.blobs.push(id)
  }
  return swept
}

async function* findOrphans(store: BlobStore, ids: AsyncIterable<string>, { before, findReferenced }: Omit<Sweep, 'dryRun'>) {
  for await (const batch of splitIntoBatches(ids, 500)) {
    const referenced = await findReferenced(batch)
    for (const id of batch.filter((id) => !referenced.has(id))) {
      const changedAt = await store.getChangeTime(id)
      if (changedAt && changedAt < before) yield id
    }
  }
}

export async function* splitIntoBatches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
