import type { Failure } from '../upload-errors.ts'
import { activeStates, type Obstacle, type UploadJob, type UploadState } from './upload-job.ts'
import { addSample, computeSpeed } from './upload-speed.ts'

type StateKind = UploadState['kind']

/** A named change of a job. In any other state than `from`, it changes nothing. */
interface Transition<Args extends readonly unknown[]> {
  from: readonly StateKind[]
  change: (job: UploadJob, ...args: Args) => Partial<UploadJob>
}

const transition = <Args extends readonly unknown[]>(
  from: readonly StateKind[],
  change: Transition<Args>['change'],
): Transition<Args> => ({ from, change })

const unfinishedStates = [...activeStates, 'paused', 'fileless', 'failed'] as const
/** States in which a request may still be running: stopping a job doesn’t discard the result of its last request. */
const statesWithRequests = [...activeStates, 'paused', 'canceled'] as const

/** Everything that can happen to an upload. */
const transitions = {
  /** An attempt begins. */
  start: transition(['queued'], () => ({ state: { kind: 'sending' } })),
  /** The page can read the file again through its handle. */
  openFile: transition(statesWithRequests, (_, file: File) => ({ file })),
  /** The file can’t be read through its handle. */
  loseHandle: transition(statesWithRequests, () => ({ handle: undefined })),
  /** The server has created the upload. */
  create: transition(statesWithRequests, (_, upload: string, fingerprint: number) => ({ upload, fingerprint })),
  /** The server answers again after a temporary failure. */
  reconnect: transition(['waiting'], () => ({ state: { kind: 'sending' } })),
  progress: transition(['sending'], ({ samples: before }, sent: number, now: number) => {
    const samples = addSample(before, [now, sent])
    return { sent, samples, speed: computeSpeed(samples) }
  }),
  /** The server reports how much of a paused upload it has. */
  loadProgress: transition(['paused'], (_, sent: number) => ({ sent })),
  wait: transition(['sending', 'waiting'], (_, obstacle: Obstacle) => ({ state: { kind: 'waiting', for: obstacle } })),

  pause: transition(activeStates, () => ({ state: { kind: 'paused' } })),
  resume: transition(['paused'], () => ({ state: { kind: 'queued' } })),
  retry: transition(['failed'], () => ({ state: { kind: 'queued' }, lastFailure: undefined })),
  cancel: transition(unfinishedStates, () => ({ state: { kind: 'canceled' } })),

  endSession: transition(activeStates, () => ({ state: { kind: 'waiting', for: 'session' } })),
  startSession: transition(activeStates, () => ({ state: { kind: 'queued' } })),

  /** The page can’t read the file without the user’s help. */
  loseFile: transition(activeStates, ({ handle }) => ({ state: { kind: 'fileless', canAsk: handle !== undefined } })),
  supplyFile: transition(['fileless'], (_, file: File) => ({
    file,
    lastModified: file.lastModified,
    state: { kind: 'queued' },
    lastFailure: undefined,
  })),
  rejectFile: transition(['fileless'], ({ handle }, problem: string) => ({
    state: { kind: 'fileless', canAsk: handle !== undefined, problem },
  })),
  allowAccess: transition(['fileless'], () => ({ state: { kind: 'queued' }, lastFailure: undefined })),
  /** The file can still be chosen. */
  denyAccess: transition(['fileless'], () => ({ state: { kind: 'fileless', canAsk: false } })),

  fail: transition(['sending', 'waiting'], ({ upload, sent }, { message, canRetry, isGone }: Failure) => ({
    state: { kind: 'failed', message, canRetry },
    lastFailure: message,
    ...(canRetry && !isGone ? { upload, sent } : { upload: undefined, sent: 0 }), // the next attempt starts from the beginning
  })),
  /** The server has all bytes. That holds even if the upload was paused at the last moment. */
  complete: transition([...activeStates, 'paused'], ({ size }, file: string) => ({
    file: undefined,
    sent: size,
    state: { kind: 'done', file },
  })),
} satisfies Record<string, Transition<never>>

type Transitions = typeof transitions
export type TransitionName = keyof Transitions
export type TransitionArgs<Name extends TransitionName> = Transitions[Name] extends Transition<infer Args> ? Args : never

/** Returns the job after a transition; the same job if its state doesn’t allow the transition. */
export function applyTransition<Name extends TransitionName>(
  job: UploadJob,
  name: Name,
  ...args: TransitionArgs<Name>
): UploadJob {
  const { from, change } = transitions[name] as unknown as Transition<TransitionArgs<Name>>
  if (!from.includes(job.state.kind)) return job
  const changes = change(job, ...args)
  // A new state starts a new measurement of the speed.
  return changes.state ? { ...job, speed: 0, samples: [], ...changes } : { ...job, ...changes }
}
