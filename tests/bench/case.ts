import type { Sample } from './measure.ts'

/**
 * One measurement, which becomes a line of the table. Its servers alternate in every round, so that other load on the machine affects both.
 */
export interface Case {
  name: string
  /** `CPU-s/GiB` and `CPU-ms` are CPU time of the server; `ms` is the latency for the client. */
  unit: 'CPU-s/GiB' | 'CPU-ms' | 'ms' | 's' | 'MiB' | 'KiB' | 'ratio'
  /** The maximum that we accept. */
  atMost?: number
  rounds: number
  measurements: { neptune: () => Promise<Sample>; nginx?: (() => Promise<Sample>) | undefined }
}

/** Cases that share servers. The servers are started if one of the cases is selected, and stopped after the last one. */
export interface Group {
  names: string[]
  open: (stack: AsyncDisposableStack) => Promise<Case[]>
}
