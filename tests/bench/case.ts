import type { Sample } from './measure.ts'

/** One line of the table. Contenders take turns, round after round, so that whatever else the machine does falls on all of them. */
export interface Case {
  name: string
  /** `CPU-s/GiB` and `CPU-ms` are of the server; `ms` is what who asks waits; the others say themselves what they are. */
  unit: 'CPU-s/GiB' | 'CPU-ms' | 'ms' | 's' | 'MiB' | 'KiB'
  atMost?: number
  rounds: number
  contenders: { neptune: () => Promise<Sample>; nginx?: (() => Promise<Sample>) | undefined }
}

/** Things that belong to the same servers. They are started when one of its cases is wanted, and stopped when all are done. */
export interface Group {
  names: string[]
  open: (stack: AsyncDisposableStack) => Promise<Case[]>
}
