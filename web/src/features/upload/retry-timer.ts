/** Returns the delay before the next attempt: 1, 2, 4 … 30 seconds, and at least what the server’s `Retry-After` demands. */
export const retryDelayMs = (attempts: number, retryAfterSeconds = 0) =>
  Math.max(Math.min(2 ** (attempts - 1), 30), retryAfterSeconds) * 1000

/** Delays attempts, until the network is back at the latest. */
export function createRetryTimer() {
  const waits = new Set<() => void>()
  return {
    /** Resolves after the delay, or early after `wakeAll` or an abort. */
    wait: (delayMs: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer)
          waits.delete(end)
          signal.removeEventListener('abort', end)
          resolve()
        }
        const timer = setTimeout(end, delayMs)
        waits.add(end)
        signal.addEventListener('abort', end)
      }),

    wakeAll(): void {
      for (const end of waits) end()
    },
  }
}
