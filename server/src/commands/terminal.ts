import type { ParseArgsOptionsConfig } from 'node:util'

/** A command of `npx neptune`. */
export interface Command {
  /** The arguments, as the help shows them. */
  usage: string
  summary: string
  details: string
  /** The names of its positional arguments, in order. Optional ones are in brackets. */
  positionals: string[]
  options: ParseArgsOptionsConfig
  /** Returns the exit code: see docs/operating/commands.md. */
  run: (call: Call) => Promise<number>
}

export interface Call {
  positionals: string[]
  options: Record<string, string | boolean | undefined>
  /** The operator's working directory, which file names are relative to. */
  workingDirectory: string
  print: (text: string) => void
}

/** An error whose message is meant for the operator. It is printed without a stack trace. */
export class CommandError extends Error {
  override name = 'CommandError'
}

/** Shows progress on one line of the terminal. Does nothing if stderr is not a terminal. */
export function createProgressLine() {
  const isTerminal = process.stderr.isTTY === true
  let shownAt = 0
  return {
    show(text: string) {
      if (!isTerminal || performance.now() - shownAt < 200) return
      shownAt = performance.now()
      process.stderr.write(`\r\x1b[K${text}`)
    },
    clear() {
      if (isTerminal && shownAt > 0) process.stderr.write('\r\x1b[K')
    },
  }
}

/** Formats a size, such as 1.5 MiB. */
export function formatSize(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(bytes, 1)) / 10)))
  return step === 0 ? `${bytes} bytes` : `${(bytes / 1024 ** step).toFixed(1)} ${units[step]}`
}

/** Formats a count with its noun, such as "1 file" or "2 files". */
export const formatCount = (count: number, singular: string) => `${count} ${singular}${count === 1 ? '' : 's'}`
