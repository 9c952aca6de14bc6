import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const MiB = 2 ** 20
export const GiB = 2 ** 30

/** One go at something: what it took of the server, and of the clock. */
export interface Sample {
  /** CPU time of the server's processes, in seconds. It holds on a busy machine, where the clock does not. */
  cpu: number
  seconds: number
  /** How much was done: GiB, or operations. */
  amount: number
  /** Of each operation, in ms, where they were timed one by one. */
  times?: number[]
}

/** A process and all it has started, as Linux tells it: ticks of 10 ms. */
function cpuOf(pid: number): number {
  const all = new Map<number, { parent: number; ticks: number }>()
  for (const name of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const fields = statOf(name)
    // utime, stime, and those of children that have ended
    if (fields) all.set(Number(name), { parent: Number(fields[1]), ticks: sum(fields.slice(11, 15).map(Number)) })
  }
  const isOurs = (id: number): boolean => id === pid || (all.has(id) && isOurs(all.get(id)?.parent ?? 0))
  return sum([...all].filter(([id]) => isOurs(id)).map(([, { ticks }]) => ticks)) / 100
}

function statOf(pid: string): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
  } catch {
    return undefined // it has ended meanwhile
  }
}

/** Does it and says what it took. Work that cannot tell beforehand how much it does says so at its end. */
export async function sample<Done>(
  pids: number[],
  work: () => Promise<Done>,
  amount: (done: Done) => number,
): Promise<Sample & { done: Done }> {
  const cpu = () => sum(pids.map(cpuOf))
  const [cpuBefore, begun] = [cpu(), performance.now()]
  const done = await work()
  return { done, amount: amount(done), cpu: cpu() - cpuBefore, seconds: (performance.now() - begun) / 1000 }
}

/** Something that moves so many bytes. */
export const moving = (pids: number[], bytes: number, work: () => Promise<unknown>) => sample(pids, work, () => bytes / GiB)

/** Something that writes so many bytes to the disk, into memory that is there. */
export async function writing(pids: number[], bytes: number, work: () => Promise<unknown>): Promise<Sample> {
  takeMemory(bytes)
  return moving(pids, bytes, work)
}

/**
 * A virtual machine gives memory that is free back to its host, and taking it again costs whoever writes next up to 1.2 s a GiB: `dd` and
 * nginx as well as us, and only sometimes. So as much as will be written is taken right before, and left free.
 */
function takeMemory(bytes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-bench-'))
  const file = openSync(join(folder, 'memory'), 'w')
  const piece = Buffer.alloc(MiB)
  for (let written = 0; written < bytes; written += piece.length) writeSync(file, piece)
  closeSync(file)
  rmSync(folder, { recursive: true })
}

const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0)

export const median = (numbers: number[]) => quantile(numbers, 0.5)

export const quantile = (numbers: number[], share: number) =>
  numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ?? Number.NaN
