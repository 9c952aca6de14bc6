/** Waiting slices by caller. The first caller in the map is next. */
const waiting = new Map<string, (() => void)[]>()
/** How many slices PostgreSQL runs at a time. SQLite finishes each one in the turn in which it starts. */
const atOnce = 2
let running = 0
let isDue = false

/**
 * Runs one slice of a long task: a page of an export, the next rows of a scan. Every slice of the process goes through here.
 * One starts per turn of the event loop, so that requests are served in between, and callers take turns, so that none of them
 * waits for all slices of another one. A slice should take about ten milliseconds.
 */
export async function runInTurn<T>(caller: string, slice: () => Promise<T>): Promise<T> {
  await new Promise<void>((start) => {
    const own = waiting.get(caller)
    if (own) own.push(start)
    else waiting.set(caller, [start])
    startSoon()
  })
  try {
    return await slice()
  } finally {
    running--
    startSoon()
  }
}

function startSoon() {
  if (isDue || running >= atOnce || waiting.size === 0) return
  isDue = true
  setImmediate(() => {
    isDue = false
    startNext()
    startSoon()
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
