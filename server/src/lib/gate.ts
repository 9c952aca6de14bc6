/** Lets a few tasks run at once and a few more wait their turn. The rest are refused at once. */
export function createGate({ slots, waiting }: { slots: number; waiting: number }, refusal: () => Error) {
  const queue: (() => void)[] = []
  let running = 0
  return async function pass<T>(task: () => Promise<T>): Promise<T> {
    if (running >= slots) {
      if (queue.length >= waiting) throw refusal()
      await new Promise<void>((resolve) => queue.push(resolve))
    } else running++
    try {
      return await task()
    } finally {
      // A waiting task takes the slot over, so that nobody can slip in between.
      const next = queue.shift()
      if (next) next()
      else running--
    }
  }
}
