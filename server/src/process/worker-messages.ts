import { setTimeout as wait } from 'node:timers/promises'
import type { Metric } from '../metrics/metric.ts'

/*
 * The names in these messages must not change: after an update, the primary process of the old version starts workers of the new one.
 */

/** A message from the primary process to a worker. `leave` drains the worker. `hear` replies to `asked` with the metrics of all workers. */
export type PrimaryMessage =
  | { do: 'stop' }
  | { do: 'leave' }
  | { do: 'measure'; id: number; isAll: boolean }
  | { do: 'hear'; id: number; text: string }

/** A message from a worker to the primary process. `measured` replies to `measure`. `asked` requests the metrics of all workers. */
export type WorkerMessage =
  | { is: 'ready'; url: string }
  | { is: 'failed'; why: string }
  | { is: 'measured'; id: number; measured: Measured }
  | { is: 'asked'; id: number }

/** The metrics of one worker process, and those that are the same in every process. */
export interface Measured {
  ofProcess: Metric[]
  ofAll: Metric[]
}

const replyTimeoutMs = 8_000

/** Matches the replies of another process to the requests sent to it, by id. */
export function createPendingRequests<Reply>() {
  const pending = new Map<number, (reply: Reply) => void>()
  let lastId = 0
  return {
    /** Sends a request and waits for its reply. */
    async request(send: (id: number) => void): Promise<Reply> {
      const id = ++lastId
      const timeout = new AbortController()
      try {
        return await Promise.race([
          new Promise<Reply>((resolve) => {
            pending.set(id, resolve)
            send(id)
          }),
          wait(replyTimeoutMs, undefined, { signal: timeout.signal }).then(() => {
            throw new Error('The other process did not reply in time')
          }),
        ])
      } finally {
        timeout.abort()
        pending.delete(id)
      }
    },
    resolve(id: number, reply: Reply) {
      pending.get(id)?.(reply)
    },
  }
}
