import { setTimeout as wait } from 'node:timers/promises'
import type { Reading } from './http/readings.ts'

/** What the first process tells a worker, */
export type Order =
  | { do: 'stop' }
  | { do: 'leave' }
  | { do: 'measure'; id: number; isAll: boolean }
  | { do: 'hear'; id: number; text: string }
/** and what it is told. */
export type Word =
  | { is: 'ready'; url: string }
  | { is: 'failed'; why: string }
  | { is: 'measured'; id: number; measured: Measured }
  | { is: 'asked'; id: number }

export interface Measured {
  ofProcess: Reading[]
  ofAll: Reading[]
}

const answerWithin = 8_000

/** Questions to another process, and who waits for the answer to each. */
export function createQuestions<Answer>() {
  const open = new Map<number, (answer: Answer) => void>()
  let last = 0
  return {
    async ask(send: (id: number) => void): Promise<Answer> {
      const id = ++last
      const late = new AbortController()
      try {
        return await Promise.race([
          new Promise<Answer>((resolve) => {
            open.set(id, resolve)
            send(id)
          }),
          wait(answerWithin, undefined, { signal: late.signal }).then(() => {
            throw new Error('Another process does not answer')
          }),
        ])
      } finally {
        late.abort()
        open.delete(id)
      }
    },
    answer(id: number, answer: Answer) {
      open.get(id)?.(answer)
    },
  }
}
