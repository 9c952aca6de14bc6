/** Returns the delay before the next attempt: 1, 2, 4 … 30 seconds, and at least what the server’s `Retry-After` demands. */
export const getRetryDelayMs = (attempts: number, retryAfterSeconds = 0) =>
  Math.max(Math.min(2 ** (attempts - 1), 30), retryAfterSeconds) * 1000

/** Creates a timer for retries, whose delays can be ended early when the network is back. */
export function createRetryTimer() {
  const pendingWaits = new Set<() => void>()
  return {
    /** Resolves after the delay, or early after `wakeAll` or an abort. */
    wait: (delayMs: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer)
          pendingWaits.delete(end)
          signal.removeEventListener('abort', end)
          resolve()
        }
        const timer = setTimeout(end, delayMs)
        pendingWaits.add(end)
        signal.addEventListener('abort', end)
      }),

    wakeAll(): void {
      for (const end of pendingWaits) end()
    },
  }
}
