/**
 * Loaded into a server by `--import`: calls the functions of one-minute timers once a second. On PostgreSQL, `runJob` still skips a job that
 * ran within the last minute, so tests backdate its last run.
 */
const setRealInterval = globalThis.setInterval
const minuteMs = 60_000
globalThis.setInterval = ((work: () => void, ms?: number, ...args: []) =>
  setRealInterval(work, ms === minuteMs ? 1000 : ms, ...args)) as typeof setInterval
