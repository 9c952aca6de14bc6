import { request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Headers } from '../client.ts'
import { readMemoryMiB } from '../read-memory.ts'

/** Sends one request. Resolves with its status when it has ended, or with undefined if `signal` aborted it. */
export function sendRequest(url: string, method: string, path: string, headers: Headers, signal?: AbortSignal) {
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
  p99Ms: number
  longestMs: number
}

interface Sample {
  ms: number
  status: number | undefined
}

/** Sends a request repeatedly until `isOver` returns true, and measures how long each takes. */
async function measureRepeatedly(url: string, path: string, headers: Headers, isOver: () => boolean): Promise<Sample[]> {
  const samples: Sample[] = []
  while (!isOver()) {
    const startedAt = performance.now()
    const status = await sendRequest(url, 'GET', path, headers)
    samples.push({ ms: performance.now() - startedAt, status })
    await wait(10)
  }
  return samples
}

const summarize = (samples: Sample[]): Latencies => {
  const times = samples.map(({ ms }) => ms)
  const sorted = times.toSorted((a, b) => a - b)
  const failed = samples.filter(({ status }) => status !== 200).length
  return { count: times.length, failed, p99Ms: sorted[Math.floor(times.length * 0.99)] ?? 0, longestMs: sorted.at(-1) ?? 0 }
}

/** Runs `attack`, and measures the latency of other requests and the server's memory meanwhile. */
export async function measureOthers(
  { url, pid }: { url: string; pid: number | undefined },
  others: { path: string; headers: Headers }[],
  attack: () => Promise<unknown>,
): Promise<{ latencies: Latencies; peakMiB: number }> {
  let isOver = false
  let peakMiB = 0
  const timer = setInterval(() => {
    peakMiB = Math.max(peakMiB, readMemoryMiB(pid))
  }, 50)
  try {
    const measurements = others.map(({ path, headers }) => measureRepeatedly(url, path, headers, () => isOver))
    await attack().finally(() => {
      isOver = true
    })
    return { latencies: summarize((await Promise.all(measurements)).flat()), peakMiB }
  } finally {
    clearInterval(timer)
  }
}

export const formatResult = (name: string, { latencies, peakMiB }: { latencies: Latencies; peakMiB: number }) =>
  `  ${name.padEnd(34)} longest ${latencies.longestMs.toFixed(0).padStart(6)} ms, p99 ${latencies.p99Ms.toFixed(0).padStart(6)} ms of ${latencies.count}, ${latencies.failed} failed; peak ${peakMiB.toFixed(0)} MiB\n`
