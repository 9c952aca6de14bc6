import { readFileSync } from 'node:fs'

/** Returns a process's resident memory in MiB. */
export const readMemoryMiB = (pid: number | undefined) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
