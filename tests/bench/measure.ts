import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const MiB = 2 ** 20
export const GiB = 2 ** 30

/** One measurement: the server's CPU time and the wall-clock time. */
export interface Sample {
  /** CPU time of the server's processes, in seconds. Unlike wall-clock time, it is reliable on a busy machine. */
  cpu: number
  seconds: number
  /** How much was done, in GiB or operations. */
  amount: number
  /** The duration of each operation in ms, if they were timed individually. */
  times?: number[]
}

/** Returns the CPU time of a process and its descendants in seconds. Linux counts ticks of 10 ms. */
export function readCpuSeconds(pid: number): number {
  const all = new Map<number, { parent: number; ticks: number }>()
  for (const name of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const fields = readStat(name)
    // utime, stime, and those of children that have ended
    if (fields) all.set(Number(name), { parent: Number(fields[1]), ticks: sum(fields.slice(11, 15).map(Number)) })
  }
  const isDescendant = (id: number): boolean => id === pid || (all.has(id) && isDescendant(all.get(id)?.parent ?? 0))
  return sum([...all].filter(([id]) => isDescendant(id)).map(([, { ticks }]) => ticks)) / 100
}

function readStat(pid: string): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
  } catch {
    return undefined // the process has ended
  }
}

/** Runs the work and measures it. `getAmount` computes how much was done from its result. */
export async function measure<Result>(
  pids: number[],
  work: () => Promise<Result>,
  getAmount: (result: Result) => number,
): Promise<Sample & { result: Result }> {
  const readCpu = () => sum(pids.map(readCpuSeconds))
  const [cpuBefore, startedAt] = [readCpu(), performance.now()]
  const result = await work()
  return { result, amount: getAmount(result), cpu: readCpu() - cpuBefore, seconds: (performance.now() - startedAt) / 1000 }
}

/** Measures work that transfers this many bytes. */
export const measureTransfer = (pids: number[], bytes: number, work: () => Promise<unknown>) =>
  measure(pids, work, () => bytes / GiB)

/** Measures work that writes this many bytes to the disk, with enough free memory available. */
export async function measureWrite(pids: number[], bytes: number, work: () => Promise<unknown>): Promise<Sample> {
  reclaimMemory(bytes)
  return measureTransfer(pids, bytes, work)
}

/**
 * Reclaims memory from the host. A virtual machine returns free memory to its host, and reclaiming it can cost the next writer up to 1.2 s
 * per GiB, whether that is `dd`, nginx or Neptune. So this writes as much as the measured work will, and frees it again.
 */
function reclaimMemory(bytes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-bench-'))
  const file = openSync(join(folder, 'memory'), 'w')
  const block = Buffer.alloc(MiB)
  for (let written = 0; written < bytes; written += block.length) writeSync(file, block)
  closeSync(file)
  rmSync(folder, { recursive: true })
}

const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0)

export const median = (numbers: number[]) => quantile(numbers, 0.5)

export const quantile = (numbers: number[], fraction: number) =>
  numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * fraction))] ?? Number.NaN
