import type { BrokenLine } from './broken-line.ts'
import { storageLines } from './broken-lines-keeping.ts'
import { runtimeLines } from './broken-lines-running.ts'

export const brokenLines: BrokenLine[] = [...storageLines, ...runtimeLines]
