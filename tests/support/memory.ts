import { readFileSync } from 'node:fs'

/** What a process holds, in MiB. */
export const memoryOf = (pid: number | undefined) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
