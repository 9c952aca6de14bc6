import type { BrokenLine } from './broken-line.ts'
import { keeping } from './broken-lines-keeping.ts'
import { running } from './broken-lines-running.ts'

export const brokenLines: BrokenLine[] = [...keeping, ...running]
