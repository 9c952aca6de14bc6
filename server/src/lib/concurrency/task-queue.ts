interface Limits {
  /** How many tasks run at a time. */
  slots: number
  maxWaiting: number
  /** So that no client can take every place in the queue. */
  maxWaitingPerClient: number
  /** While tasks are waiting, a slot pauses after each task for this many times the task's duration, to leave the cores to others. */
  restFactor?: number
}

/** Caps the pause, because a task may have taken long by waiting rather than by working. */
const maxRestMs = 250

/** Returns a function that runs a few tasks at a time and queues a few more. It throws `createError()` for all others. */
export function createTaskQueue({ slots, maxWaiting, maxWaitingPerClient, restFactor = 0 }: Limits, createError: () => Error) {
  const queue: { client: string; start: () => void }[] = []
  let running = 0
  // Passes the slot on to the next waiting task, so that no new task can take it first.
  const handOver = () => {
    const next = queue.shift()
    if (next) next.start()
    else running--
  }
  return async function run<T>(client: string, task: () => Promise<T>): Promise<T> {
    if (running >= slots) {
      const own = queue.filter((waiter) => waiter.client === client).length
      if (queue.length >= maxWaiting || own >= maxWaitingPerClient) throw createError()
      await new Promise<void>((start) => queue.push({ client, start }))
    } else running++
    const startedAt = performance.now()
    try {
      return await task()
    } finally {
      if (restFactor === 0 || queue.length === 0) handOver()
      else setTimeout(handOver, Math.min(restFactor * (performance.now() - startedAt), maxRestMs))
    }
  }
}
