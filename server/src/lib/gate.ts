interface Limits {
  slots: number
  /** How many may wait in all, */
  waiting: number
  /** and how many of them for one client, so that nobody can take every place. */
  waitingEach: number
}

/** Lets a few tasks run at once and a few more wait their turn. The rest are refused at once. */
export function createGate({ slots, waiting, waitingEach }: Limits, refusal: () => Error) {
  const queue: { client: string; start: () => void }[] = []
  let running = 0
  return async function pass<T>(client: string, task: () => Promise<T>): Promise<T> {
    if (running >= slots) {
      const own = queue.filter((waiter) => waiter.client === client).length
      if (queue.length >= waiting || own >= waitingEach) throw refusal()
      await new Promise<void>((start) => queue.push({ client, start }))
    } else running++
    try {
      return await task()
    } finally {
      // A waiting task takes the slot over, so that nobody can slip in between.
      const next = queue.shift()
      if (next) next.start()
      else running--
    }
  }
}
