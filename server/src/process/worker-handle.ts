import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { join } from 'node:path'
import { StartError } from '../installation/start-error.ts'
import type { PrimaryMessage, WorkerMessage } from './worker-messages.ts'

export interface WorkerHandle {
  number: number
  worker: Worker
  isReady: boolean
  ready: Promise<string>
  exited: Promise<WorkerExit>
}

export interface WorkerExit {
  code: number | null
  signal: string | null
}

/** Forks a worker process. Passes its messages to `onMessage`, except those about its start, which settle `ready`. */
export function forkWorker(number: number, onMessage: (message: WorkerMessage) => void): WorkerHandle {
  cluster.setupPrimary({ exec: join(import.meta.dirname, '../main.ts'), args: [String(number)] })
  const cache = getCompileCacheDir()
  const worker = cluster.fork(cache ? { NODE_COMPILE_CACHE: cache } : {})
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>()
  const disconnected = once(worker, 'disconnect') // its last messages may arrive after its exit
  const exited = once(worker, 'exit').then(async ([code, signal]): Promise<WorkerExit> => {
    await disconnected
    reject(new StartError(`Worker ${number} exited before it was ready (${signal ?? code}).`))
    return { code, signal }
  })
  ready.catch(() => undefined) // `exited` reports a failed start too
  const handle: WorkerHandle = { number, worker, isReady: false, ready, exited }
  worker.on('message', (message: WorkerMessage) => {
    if (message.is === 'ready') {
      handle.isReady = true
      resolve(message.url)
    } else if (message.is === 'failed') reject(new StartError(message.why))
    else onMessage(message)
  })
  return handle
}

/** Sends a message to a worker. Does nothing if the worker has just exited. */
export function sendToWorker({ worker }: WorkerHandle, message: PrimaryMessage) {
  if (worker.isConnected()) worker.send(message, () => undefined)
}
