import { Tally } from './tally.ts'

const talliesKept = 1000

/** Sums of uploads that are not finished. One that is forgotten costs a second reading of the bytes, and no more. */
export class Tallies {
  #kept = new Map<string, { tally: Tally; mark: number }>()

  /** The sums so far, if they are those of what is stored: of this size, or whatever else they were marked with. */
  take(id: string, size: number, mark = size): Tally | undefined {
    const kept = this.#kept.get(id)
    this.#kept.delete(id)
    return kept?.mark === mark ? kept.tally : size === 0 ? new Tally() : undefined
  }

  keep(id: string, tally: Tally, mark = tally.size) {
    this.#kept.set(id, { tally, mark })
    const [oldest = id] = this.#kept.keys()
    if (this.#kept.size > talliesKept) this.#kept.delete(oldest)
  }

  drop(id: string) {
    this.#kept.delete(id)
  }
}
