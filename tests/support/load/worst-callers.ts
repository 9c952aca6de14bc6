import { request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Headers } from '../client.ts'
import { readMemoryMiB } from '../memory.ts'

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

interface Latencies {
  count: number
  /** How many did not get status 200. */
  failed: number
  p99: number
  longest: number
}

interface Sample {
  ms: number
  status: number | undefined
}

/** Measures the duration of a request repeatedly until `isOver`. */
async function measureRepeatedly(url: string, path: string, headers: Headers, isOver: () => boolean): Promise<Sample[]> {
  const samples: Sample[] = []
  while (!isOver()) {
    const startedAt = performance.now()
    const status = await send(url, 'GET', path, headers)
    samples.push({ ms: performance.now() - startedAt, status })
    await wait(10)
  }
  return samples
}

const summarize = (samples: Sample[]): Latencies => {
  const times = samples.map(({ ms }) => ms)
  const sorted = times.toSorted((a, b) => a - b)
  const failed = samples.filter(({ status }) => status !== 200).length
  return { count: times.length, failed, p99: sorted[Math.floor(times.length * 0.99)] ?? 0, longest: sorted.at(-1) ?? 0 }
}

/** Runs `attack`, and measures the latency of other requests and the server's memory meanwhile. */
export async function measureOthers(
  { url, pid }: { url: string; pid: number | undefined },
  others: { path: string; headers: Headers }[],
  attack: () => Promise<unknown>,
): Promise<{ waits: Latencies; peak: number }> {
  let isOver = false
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, readMemoryMiB(pid))
  }, 50)
  try {
    const measurements = others.map(({ path, headers }) => measureRepeatedly(url, path, headers, () => isOver))
    await attack().finally(() => {
      isOver = true
    })
    return { waits: summarize((await Promise.all(measurements)).flat()), peak }
  } finally {
    clearInterval(timer)
  }
}

export const formatResult = (name: string, { waits, peak }: { waits: Latencies; peak: number }) =>
  `  ${name.padEnd(34)} longest ${waits.longest.toFixed(0).padStart(6)} ms, p99 ${waits.p99.toFixed(0).padStart(6)} ms of ${waits.count}, ${waits.failed} failed; peak ${peak.toFixed(0)} MiB\n`
