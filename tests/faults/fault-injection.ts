import { join } from 'node:path'

/** Returns settings that inject a fault, see tests/support/preload/inject-fault.ts. */
export const makeFaultSettings = (description: string) => ({
  NODE_OPTIONS: `--import=${join(import.meta.dirname, '../support/preload/inject-fault.ts')}`,
  NEPTUNE_FAULT: description,
})

/**
 * Returns a wrapper that logs the process's system calls on the database files and injects a fault into them: for example
 * `error=EIO:when=3` or `signal=SIGKILL:when=3` at the third call. An empty `injection` only logs. Needs strace.
 */
export function makeDatabaseFaultWrapper(
  { data, folder }: { data: string; folder: string },
  calls: string,
  injection: string,
  log = join(folder, 'calls'),
): string[] {
  const paths = ['', '-wal'].flatMap((end) => ['-P', join(data, `neptune.db${end}`)])
  const inject = injection === '' ? [] : ['-e', `inject=${calls}:${injection}`]
  // `-D` keeps the process a direct child, so that it can be killed like any other.
  return ['strace', '-D', '-f', '-qq', '-o', log, ...paths, '-e', `trace=${calls}`, ...inject]
}

/** Returns a callback that kills the server once this many bytes were sent, by whichever client. */
export function killAfterBytes(server: { process: { kill: (signal: 'SIGKILL') => boolean } }, bytes: number) {
  let bytesLeft = bytes
  return (count: number) => {
    bytesLeft -= count
    if (bytesLeft <= 0) server.process.kill('SIGKILL')
  }
}
