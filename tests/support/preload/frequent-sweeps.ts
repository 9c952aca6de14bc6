/** Loaded into a server by `--import`: runs what it does every minute every second, so that tests need not wait for it. */
const setRealInterval = globalThis.setInterval
const minuteMs = 60_000
globalThis.setInterval = ((work: () => void, ms?: number, ...args: []) =>
  setRealInterval(work, ms === minuteMs ? 1000 : ms, ...args)) as typeof setInterval
