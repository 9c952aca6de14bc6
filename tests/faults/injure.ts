import { join } from 'node:path'

/** What loads a fault into a Neptune: see there. */
export const fault = (what: string) => ({
  NODE_OPTIONS: `--import=${join(import.meta.dirname, '../support/fault.ts')}`,
  NEPTUNE_FAULT: what,
})

/**
 * A wrapper in which something happens at the process's calls on the files of the database: `error=EIO:when=3` at the third such call,
 * `signal=SIGKILL:when=3`, or nothing but a line in the log. Needs strace.
 */
export function atDatabase(
  { data, folder }: { data: string; folder: string },
  calls: string,
  what: string,
  log = join(folder, 'calls'),
): string[] {
  const paths = ['', '-wal'].flatMap((end) => ['-P', join(data, `neptune.db${end}`)])
  const inject = what === '' ? [] : ['-e', `inject=${calls}:${what}`]
  // `-D` keeps the process our own child, so that it can be killed as any other.
  return ['strace', '-D', '-f', '-qq', '-o', log, ...paths, '-e', `trace=${calls}`, ...inject]
}

/** Kills it when so many bytes have left, whoever sent them. */
export function killAfterBytes(house: { process: { kill: (signal: 'SIGKILL') => boolean } }, bytes: number) {
  let left = bytes
  return (count: number) => {
    left -= count
    if (left <= 0) house.process.kill('SIGKILL')
  }
}
