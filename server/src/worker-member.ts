import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { join } from 'node:path'
import { StartError } from './start-error.ts'
import type { Order, Word } from './worker-words.ts'

export interface Member {
  number: number
  worker: Worker
  isReady: boolean
  ready: Promise<string>
  exited: Promise<End>
}

export interface End {
  code: number | null
  signal: string | null
}

/** One more process. What it says, other than that it serves or cannot, is for `onWord`. */
export function forkMember(number: number, onWord: (word: Word) => void): Member {
  cluster.setupPrimary({ exec: join(import.meta.dirname, 'main.ts'), args: [String(number)] })
  const cache = getCompileCacheDir()
  const worker = cluster.fork(cache ? { NODE_COMPILE_CACHE: cache } : {})
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>()
  const silent = once(worker, 'disconnect') // what it said last may come after its end
  const exited = once(worker, 'exit').then(async ([code, signal]): Promise<End> => {
    await silent
    reject(new StartError(`Worker ${number} ended before it served (${signal ?? code}).`))
    return { code, signal }
  })
  ready.catch(() => undefined) // also told by its end
  const member: Member = { number, worker, isReady: false, ready, exited }
  worker.on('message', (word: Word) => {
    if (word.is === 'ready') {
      member.isReady = true
      resolve(word.url)
    } else if (word.is === 'failed') reject(new StartError(word.why))
    else onWord(word)
  })
  return member
}

/** To one that is just gone it is said in vain. */
export function tell({ worker }: Member, order: Order) {
  if (worker.isConnected()) worker.send(order, () => undefined)
}
