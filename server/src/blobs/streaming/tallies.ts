import { Tally } from './tally.ts'

const maxTallies = 1000

/** Caches the running checksums of unfinished uploads. If one is evicted, `finish` reads the bytes again. */
export class Tallies {
  #cache = new Map<string, { tally: Tally; version: number }>()

  /** Removes and returns the tally of an upload, if it was kept for this version of it: by default, its size. */
  take(id: string, size: number, version = size): Tally | undefined {
    const cached = this.#cache.get(id)
    this.#cache.delete(id)
    return cached?.version === version ? cached.tally : size === 0 ? new Tally() : undefined
  }

  keep(id: string, tally: Tally, version = tally.size) {
    this.#cache.set(id, { tally, version })
    const [oldest = id] = this.#cache.keys()
    if (this.#cache.size > maxTallies) this.#cache.delete(oldest)
  }

  drop(id: string) {
    this.#cache.delete(id)
  }
}
