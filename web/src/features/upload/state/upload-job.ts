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

/** What a job uploads: a file, or an empty folder, which is only created. */
type UploadKind = 'file' | 'folder'

/** An unfinished upload, as this browser stores it to survive a reload or a closed tab. */
export interface SavedUpload extends FileIdentity {
  readonly id: string
  /** The id of the user or link it belongs to. */
  readonly user: string
  /** Its position in the list. */
  readonly order: number
  readonly directory: UploadTarget
  /** The id of the tree it belongs to, if it is in a folder that was chosen or dropped. */
  readonly tree?: string | undefined
  /** The path of its folder, starting with the name of the chosen folder. For an empty folder, its own path. */
  readonly folder?: string | undefined
  /** Defaults to `file`. */
  readonly kind?: UploadKind | undefined
  readonly conflict: ConflictResolution
  /** The server’s id of the upload, once it is created. */
  readonly upload?: string | undefined
  readonly isPaused: boolean
  /** Why the last attempt failed. Cleared by the next one. */
  readonly lastFailure?: string | undefined
  /** The handle of the file. A file in a tree has the handle of the tree’s folder, which is stored with the tree. */
  readonly handle?: FileSystemHandle | undefined
}

/** A folder that was chosen or dropped, and everything in it. */
export interface SavedTree {
  readonly id: string
  readonly user: string
  /** The name of the folder. */
  readonly name: string
  readonly directory: UploadTarget
  /** The paths of the folders to create, with their ids once they exist. */
  readonly folders: ReadonlyMap<string, string | undefined>
  readonly handle?: FileSystemHandle | undefined
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

export const toSavedUpload = ({ file, sent, speed, samples, state, handle, ...rest }: UploadJob): SavedUpload => ({
  ...rest,
  ...(rest.tree === undefined && { handle }),
  isPaused: state.kind === 'paused',
})

/** Returns the path that a file had when it was chosen. */
export const getPath = ({ folder, name }: Pick<SavedUpload, 'folder' | 'name'>) => (folder ? `${folder}/${name}` : name)

export const activeStates = ['queued', 'sending', 'waiting'] as const

/** Returns whether an upload is running, or will run without the user’s help. */
export const isActive = ({ state }: UploadJob) => activeStates.some((kind) => kind === state.kind)

export const canRetry = ({ state }: UploadJob) => state.kind === 'failed' && state.canRetry
