import type { FileIdentity } from '../files/file-identity.ts'
import type { Sample } from './upload-speed.ts'

/** The directory that files are uploaded to. */
export interface UploadTarget {
  readonly id: string
  readonly name: string
  /** For recipients: the name of the person to ask when something goes wrong. */
  readonly contact?: string
}

/** How to handle a name that is taken. */
export type ConflictResolution = 'keep' | 'replace'

/** What an upload waits for before it retries by itself. */
export type Obstacle = 'network' | 'server' | 'session'

export type UploadState =
  | { kind: 'queued' }
  | { kind: 'sending' }
  /** Retries by itself. */
  | { kind: 'waiting'; for: Obstacle }
  | { kind: 'paused' }
  /** After a reload the page can’t read the file. With `canAsk`, the user can grant access with a click; otherwise they choose it again. */
  | { kind: 'fileless'; canAsk: boolean; problem?: string }
  | { kind: 'failed'; message: string; canRetry: boolean }
  /** Not shown. Its unfinished upload is deleted on the server once its last request has ended. */
  | { kind: 'canceled' }
  /** `file` is the id of the resulting file. */
  | { kind: 'done'; file: string }

/** An unfinished upload, as this browser stores it to survive a reload or a closed tab. */
export interface SavedUpload extends FileIdentity {
  readonly id: string
  /** The id of the user or link it belongs to. */
  readonly user: string
  /** Its position in the list. */
  readonly order: number
  readonly directory: UploadTarget
  readonly conflict: ConflictResolution
  /** The server’s id of the upload, once it is created. */
  readonly upload?: string | undefined
  readonly isPaused: boolean
  /** Why the last attempt failed. Cleared by the next one. */
  readonly lastFailure?: string | undefined
  readonly handle?: FileSystemFileHandle | undefined
}

/** One upload. Immutable: only the transitions in upload-machine.ts create its next version. */
export interface UploadJob extends Omit<SavedUpload, 'isPaused'> {
  /** Undefined after a reload, until the page can read the file again. */
  readonly file: File | undefined
  /** Bytes sent, as far as this page knows. */
  readonly sent: number
  /** Bytes per second, recently. */
  readonly speed: number
  readonly samples: readonly Sample[]
  readonly state: UploadState
}

export const createJob = ({ isPaused, ...rest }: SavedUpload, file?: File): UploadJob => ({
  ...rest,
  file,
  sent: 0,
  speed: 0,
  samples: [],
  state: { kind: isPaused ? 'paused' : 'queued' },
})

export const toSavedUpload = ({ file, sent, speed, samples, state, ...rest }: UploadJob): SavedUpload => ({
  ...rest,
  isPaused: state.kind === 'paused',
})

/** Returns whether an upload is running, or will run without the user’s help. */
export const isActive = ({ state }: UploadJob) => state.kind === 'queued' || state.kind === 'sending' || state.kind === 'waiting'

export const canRetry = ({ state }: UploadJob) => state.kind === 'failed' && state.canRetry
