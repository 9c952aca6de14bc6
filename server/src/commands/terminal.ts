import type { ParseArgsOptionsConfig } from 'node:util'

/** One command, as the help shows it. */
export interface Command {
  /** What may follow its name. */
  usage: string
  summary: string
  details: string
  /** The words it takes, in their order. */
  words: string[]
  options: ParseArgsOptionsConfig
  /** Returns how it ended: see operator.ts. */
  run: (call: Call) => Promise<number>
}

export interface Call {
  words: string[]
  options: Record<string, string | boolean | undefined>
  /** Where the operator stands: files are named from there. */
  folder: string
  say: (text: string) => void
}

/** It was not said in a way that can be done. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** How far it is, on one line of a terminal; nothing where nobody looks. */
export function progress() {
  const isSeen = process.stderr.isTTY === true
  let shownAt = 0
  return {
    show(text: string) {
      if (!isSeen || performance.now() - shownAt < 200) return
      shownAt = performance.now()
      process.stderr.write(`\r\x1b[K${text}`)
    },
    clear() {
      if (isSeen && shownAt > 0) process.stderr.write('\r\x1b[K')
    },
  }
}

/** Bytes as people say them. */
export function sizeInWords(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(bytes, 1)) / 10)))
  return step === 0 ? `${bytes} bytes` : `${(bytes / 1024 ** step).toFixed(1)} ${units[step]}`
}

export const countInWords = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`
