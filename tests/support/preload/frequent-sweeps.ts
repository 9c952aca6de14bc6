/** Loaded into a server by `--import`: runs jobs that are due every minute every second, so that tests don't wait for them. */
const setRealInterval = globalThis.setInterval
const minuteMs = 60_000
globalThis.setInterval = ((work: () => void, ms?: number, ...args: []) =>
  setRealInterval(work, ms === minuteMs ? 1000 : ms, ...args)) as typeof setInterval
