import type { Sample } from './measure.ts'

/** The servers that can be measured. `neptune` has the data of a busy firm, `empty` is Neptune without data. */
export type ServerName = 'neptune' | 'empty' | PeerName
export type PeerName = 'nginx' | 'sftpgo' | 'filebrowser'

/** The measurement of each server that is measured. */
export type Measurements = { neptune: () => Promise<Sample> } & { [Name in ServerName]?: (() => Promise<Sample>) | undefined }

/**
 * One measurement, which becomes a line of the table. Its servers alternate in every round, so that other load on the machine affects all of
 * them.
 */
export interface Case {
  name: string
  /** `CPU-s/GiB` and `CPU-ms` are CPU time of the server; `ms` is the latency for the client; `KB` is what the server writes. */
  unit: 'CPU-s/GiB' | 'CPU-ms' | 'ms' | 's' | 'KB' | 'MiB' | 'KiB' | 'ratio'
  /** The maximum that we accept. */
  atMost?: number
  rounds: number
  measurements: Measurements
  /** Measures what Neptune does besides and the peers don't: the SHA-256 and the fsync of the same bytes. */
  care?: () => Promise<Sample>
}

export interface GroupOptions {
  /** Whether to also start SFTPGo and File Browser, if they are installed. */
  withPeers: boolean
}

/** Cases that share servers. The servers are started if one of the cases is selected, and stopped after the last one. */
export interface Group {
  names: string[]
  open: (stack: AsyncDisposableStack, options: GroupOptions) => Promise<Case[]>
}
