interface Limits {
  slots: number
  /** How many may wait in all, */
  waiting: number
  /** and how many of them for one client, so that nobody can take every place. */
  waitingEach: number
  /** In a burst: how many times as long as its task took a slot then rests, so that the cores are for others too. */
  rest?: number
}

/** A task may have taken long because it waited, not because it worked. */
const restAtMost = 250

/** Lets a few tasks run at once and a few more wait their turn. The rest are refused at once. */
export function createGate({ slots, waiting, waitingEach, rest = 0 }: Limits, refusal: () => Error) {
  const queue: { client: string; start: () => void }[] = []
  let running = 0
  // A waiting task takes the slot over, so that nobody can slip in between.
  const handOver = () => {
    const next = queue.shift()
    if (next) next.start()
    else running--
  }
  return async function pass<T>(client: string, task: () => Promise<T>): Promise<T> {
    if (running >= slots) {
      const own = queue.filter((waiter) => waiter.client === client).length
      if (queue.length >= waiting || own >= waitingEach) throw refusal()
      await new Promise<void>((start) => queue.push({ client, start }))
    } else running++
    const begun = performance.now()
    try {
      return await task()
    } finally {
      if (rest === 0 || queue.length === 0) handOver()
      else setTimeout(handOver, Math.min(rest * (performance.now() - begun), restAtMost))
    }
  }
}
