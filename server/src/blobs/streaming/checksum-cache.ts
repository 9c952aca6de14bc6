import type { UploadChecksums } from './checksums.ts'

const maxCached = 1000

/** Caches the running checksums of unfinished uploads. If one is evicted, `finish` reads the bytes again. */
export class ChecksumCache<Kept extends UploadChecksums> {
  #cache = new Map<string, { checksums: Kept; version: number }>()

  /** Removes and returns the checksums of an upload, if they were kept for this version of it. */
  take(id: string, version: number): Kept | undefined {
    const cached = this.#cache.get(id)
    this.#cache.delete(id)
    if (cached?.version === version) return cached.checksums
    cached?.checksums.drop?.()
    return undefined
  }

  /** Keeps the checksums of a version of an upload. Evicts the oldest entry if there are too many. */
  keep(id: string, checksums: Kept, version: number) {
    this.#cache.set(id, { checksums, version })
    const [oldest = id] = this.#cache.keys()
    if (this.#cache.size > maxCached) this.drop(oldest)
  }

  drop(id: string) {
    this.#cache.get(id)?.checksums.drop?.()
    this.#cache.delete(id)
  }
}
