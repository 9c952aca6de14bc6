import type { BrokenLine } from './broken-line.ts'
import { runtimeLines } from './broken-lines-runtime.ts'
import { storageLines } from './broken-lines-storage.ts'

export const brokenLines: BrokenLine[] = [...storageLines, ...runtimeLines]
