interface Limits {
  /** How many seats there are in total. */
  all: number
  /** How many of them one group of callers may have. */
  group: number
  /** How many of them one caller may have. */
  each: number
}

/**
 * Limits how many tasks run at a time: in total, per group of callers (such as a company) and per caller. Taking a seat throws
 * `createError()` when none is left.
 */
export function createSeats({ all, group: ofGroup, each }: Limits, createError: () => Error) {
  const taken = new Map<string, number>()
  const countOf = (key: string) => taken.get(key) ?? 0
  return function takeSeat(caller: string, group: string): Disposable {
    const limits: [key: string, limit: number][] = [
      ['all', all],
      [`group ${group}`, ofGroup],
      [`caller ${caller}`, each],
    ]
    if (limits.some(([key, limit]) => countOf(key) >= limit)) throw createError()
    for (const [key] of limits) taken.set(key, countOf(key) + 1)
    let isReleased = false
    return {
      [Symbol.dispose]() {
        if (isReleased) return
        isReleased = true
        for (const [key] of limits)
          if (countOf(key) > 1) taken.set(key, countOf(key) - 1)
          else taken.delete(key)
      },
    }
  }
}
