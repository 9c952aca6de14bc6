import type { ChildProcess } from 'node:child_process'

/** Waits until a process has ended and its output is read. Returns its exit code, or null if it was killed, including by its signal. */
export const waitForExitCode = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('close', resolve))
