/** Waiting slices by caller. The first caller in the map is next. */
const waiting = new Map<string, (() => void)[]>()
/** How many slices run at a time. It matters for PostgreSQL: SQLite runs queries synchronously. */
const maxConcurrent = 2
let running = 0
let isScheduled = false

/**
 * Runs one slice of a long task: a page of an export, the next rows of a scan. Every slice goes through here, except the first of a
 * list. One starts per turn of the event loop, so that requests are served in between, and callers take turns, so that none of them
 * waits for all slices of another one. A slice should take about ten milliseconds.
 */
export async function runInTurn<T>(caller: string, slice: () => Promise<T>): Promise<T> {
  await new Promise<void>((start) => {
    const ownSlices = waiting.get(caller)
    if (ownSlices) ownSlices.push(start)
    else waiting.set(caller, [start])
    scheduleNext()
  })
  try {
    return await slice()
  } finally {
    running--
    scheduleNext()
  }
}

function scheduleNext() {
  if (isScheduled || running >= maxConcurrent || waiting.size === 0) return
  isScheduled = true
  setImmediate(() => {
    isScheduled = false
    startNext()
    scheduleNext()
  })
}

function startNext() {
  for (const [caller, [start, ...rest]] of waiting) {
    waiting.delete(caller)
    if (rest.length > 0) waiting.set(caller, rest)
    running++
    start?.()
    return
  }
}
