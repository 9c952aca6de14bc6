interface Limits {
  /** How many tasks may run in total. */
  total: number
  /** How many tasks one group of callers may run. */
  perGroup: number
  /** How many tasks one caller may run. */
  perCaller: number
}

/**
 * Limits how many tasks run at a time: in total, per group of callers (such as a company) and per caller. Returns a function that
 * takes a slot for a task, to be disposed of when the task ends. It throws `createError()` when no slot is free.
 */
export function createCallerLimits({ total, perGroup, perCaller }: Limits, createError: () => Error) {
  const taken = new Map<string, number>()
  const countOf = (key: string) => taken.get(key) ?? 0
  return function takeSlot(caller: string, group: string): Disposable {
    const limits: [key: string, limit: number][] = [
      ['total', total],
      [`group ${group}`, perGroup],
      [`caller ${caller}`, perCaller],
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
