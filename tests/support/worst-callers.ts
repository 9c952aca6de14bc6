import { request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { memoryOf } from './memory.ts'

export type Headers = Record<string, string>

/** Sends one request. Resolves with its status when it has ended, or with undefined if `signal` aborted it. */
export function send(url: string, method: string, path: string, headers: Headers, signal?: AbortSignal) {
  return new Promise<number | undefined>((resolve) => {
    const call = request(url + path, { method, headers, agent: false, ...(signal && { signal }) })
    call.on('error', () => resolve(undefined))
    call.once('response', (reply) => {
      reply.on('error', () => undefined)
      reply.resume().once('close', () => resolve(reply.complete ? reply.statusCode : undefined))
    })
    call.end()
  })
}

interface Waits {
  count: number
  /** How many of them were not answered 200. */
  failed: number
  p99: number
  longest: number
}

interface Answer {
  ms: number
  status: number | undefined
}

/** Measures how long a request takes, again and again, until `isOver`. */
async function watch(url: string, path: string, headers: Headers, isOver: () => boolean): Promise<Answer[]> {
  const answers: Answer[] = []
  while (!isOver()) {
    const begun = performance.now()
    const status = await send(url, 'GET', path, headers)
    answers.push({ ms: performance.now() - begun, status })
    await wait(10)
  }
  return answers
}

const summaryOf = (answers: Answer[]): Waits => {
  const times = answers.map(({ ms }) => ms)
  const sorted = times.toSorted((a, b) => a - b)
  const failed = answers.filter(({ status }) => status !== 200).length
  return { count: times.length, failed, p99: sorted[Math.floor(times.length * 0.99)] ?? 0, longest: sorted.at(-1) ?? 0 }
}

/** Runs `attack` and measures meanwhile how long others wait and how much memory the server uses. */
export async function measureOthers(
  { url, pid }: { url: string; pid: number | undefined },
  others: { path: string; headers: Headers }[],
  attack: () => Promise<unknown>,
): Promise<{ waits: Waits; peak: number }> {
  let isOver = false
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, memoryOf(pid))
  }, 50)
  try {
    const watching = others.map(({ path, headers }) => watch(url, path, headers, () => isOver))
    await attack().finally(() => {
      isOver = true
    })
    return { waits: summaryOf((await Promise.all(watching)).flat()), peak }
  } finally {
    clearInterval(timer)
  }
}

export const shown = (name: string, { waits, peak }: { waits: Waits; peak: number }) =>
  `  ${name.padEnd(34)} longest ${waits.longest.toFixed(0).padStart(6)} ms, p99 ${waits.p99.toFixed(0).padStart(6)} ms of ${waits.count}, ${waits.failed} failed; peak ${peak.toFixed(0)} MiB\n`
