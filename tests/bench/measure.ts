import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
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
export const readCpuSeconds = (pid: number): number => sum(readProcessTree(pid).map(({ ticks }) => ticks)) / 100

/** Returns how many bytes a process and its descendants have passed to `write` calls, for files and sockets. */
export const readWrittenBytes = (pid: number): number =>
  sum(readProcessTree(pid).map(({ id }) => Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${id}/io`, 'utf8'))?.[1])))

/** Returns a process and its descendants, with their CPU time in ticks. */
function readProcessTree(pid: number) {
  const all = new Map<number, { id: number; parent: number; ticks: number }>()
  for (const id of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    const fields = readStat(id)
    // utime, stime, and those of children that have ended
    if (fields) all.set(id, { id, parent: Number(fields[1]), ticks: sum(fields.slice(11, 15).map(Number)) })
  }
  const isInTree = (id: number): boolean => id === pid || (all.has(id) && isInTree(all.get(id)?.parent ?? 0))
  return [...all.values()].filter(({ id }) => isInTree(id))
}

function readStat(pid: number): string[] | undefined {
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
 * Measures the SHA-256 and the fsync of `count` files of this size in this process. Neptune does both for every upload; the peers do not.
 * The `amount` is in GiB, as of a transfer.
 */
export async function measureCare(bytes: number, count = 1): Promise<Sample> {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-bench-'))
  const block = Buffer.alloc(Math.min(bytes, MiB), 'some bytes')
  let cpu = 0
  const startedAt = performance.now()
  for (let n = 0; n < count; n++) {
    const file = openSync(join(folder, `file-${n}`), 'w')
    const hash = createHash('sha256')
    for (let written = 0; written < bytes; written += block.length) {
      writeSync(file, block)
      cpu += measureOwnCpu(() => hash.update(block))
    }
    cpu += measureOwnCpu(() => fsyncSync(file))
    cpu += measureOwnCpu(() => hash.digest())
    closeSync(file)
  }
  rmSync(folder, { recursive: true })
  return { cpu, seconds: (performance.now() - startedAt) / 1000, amount: (bytes * count) / GiB }
}

function measureOwnCpu(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
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
