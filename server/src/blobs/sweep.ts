import type { BlobStore } from './blob-store.ts'

interface Sweep {
  /** What changed later than this is left alone: its row may be about to be written. */
  before: Date
  /** Of these ids, those that somebody still knows: files, what is in the trash, uploads that may go on. */
  wanted: (ids: string[]) => Promise<Set<string>>
  dryRun?: boolean
}

/** Removes bytes that no row points to: left by a crash, or by a client that never came back. Tells which. */
export async function sweep(store: BlobStore, { dryRun = false, ...rule }: Sweep) {
  const swept: { uploads: string[]; blobs: string[] } = { uploads: [], blobs: [] }
  for await (const id of garbage(store, store.uploads(), rule)) {
    if (!dryRun) await store.discard(id)
    swept.uploads.push(id)
  }
  for await (const id of garbage(store, store.blobs(), rule)) {
    if (!dryRun) await store.remove(id)
    swept.blobs.push(id)
  }
  return swept
}

async function* garbage(store: BlobStore, ids: AsyncIterable<string>, { before, wanted }: Omit<Sweep, 'dryRun'>) {
  for await (const batch of inBatches(ids, 500)) {
    const known = await wanted(batch)
    for (const id of batch.filter((id) => !known.has(id))) {
      const changedAt = await store.changedAt(id)
      if (changedAt && changedAt < before) yield id
    }
  }
}

export async function* inBatches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
