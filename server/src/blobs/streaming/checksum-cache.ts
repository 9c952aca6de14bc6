import { Checksums } from './checksums.ts'

const maxCached = 1000

/** Caches the running checksums of unfinished uploads. If one is evicted, `finish` reads the bytes again. */
export class ChecksumCache {
  #cache = new Map<string, { checksums: Checksums; version: number }>()

  /** Removes and returns the checksums of an upload, if they were kept for this version of it. The version defaults to the size. */
  take(id: string, size: number, version = size): Checksums | undefined {
    const cached = this.#cache.get(id)
    this.#cache.delete(id)
    return cached?.version === version ? cached.checksums : size === 0 ? new Checksums() : undefined
  }

  /** Keeps the checksums of a version of an upload. Evicts the oldest entry if there are too many. */
  keep(id: string, checksums: Checksums, version = checksums.size) {
    this.#cache.set(id, { checksums, version })
    const [oldest = id] = this.#cache.keys()
    if (this.#cache.size > maxCached) this.#cache.delete(oldest)
  }

  drop(id: string) {
    this.#cache.delete(id)
  }
}
