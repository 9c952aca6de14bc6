import { useCallback, useRef, useState } from 'react'
import { useLatest } from '../use-latest.ts'

type State<Input, Result> =
  | { kind: 'idle' }
  | { kind: 'running'; input: Input }
  | { kind: 'failed'; error: Error }
  | { kind: 'done'; input: Input; result: Result }

interface OutcomeHandlers<Input, Result> {
  onSuccess?: (result: Result, input: Input) => void
  onError?: (error: Error, input: Input) => void
}

export interface ActionOptions<Input, Result> extends OutcomeHandlers<Input, Result> {
  /**
   * Whether the action may run again after a success. If not, it stays locked after a success, until the dialog or form that
   * holds it is gone.
   */
  isRepeatable?: boolean
  /** Returns what an input acts on, such as the id of a file. Actions on different subjects can run in parallel. */
  getSubject?: (input: Input) => string
  /**
   * Reloads what the action may have changed, after a failure as well. After a success, a repeatable action stays locked until the reload
   * is done.
   */
  refresh?: () => Promise<unknown>
}

/** The state of an action, for the dialog that confirms it. */
export interface ActionStatus {
  /** Whether to show the action as busy. Changes with the next render, later than the lock. */
  isBusy: boolean
  /** Returns true as soon as the action starts, so that a button that is not yet rendered as busy cannot start it again. */
  isLocked: () => boolean
}

export interface Action<Input, Result> extends ActionStatus {
  /** Starts the action, unless it is locked: then this does nothing. */
  run: (input: Input, handlers?: OutcomeHandlers<Input, Result>) => void
  /** Clears the last failure. */
  reset: () => void
  /** The input of the running or last successful run. */
  input: Input | undefined
  result: Result | undefined
  error: Error | undefined
}

/**
 * Runs an action that must not start twice, for example by a double click. All buttons and forms that change something use it; uploads
 * and downloads have queues of their own. The lock is taken synchronously, so it also stops presses that were queued before the page could
 * react. A failure releases it. The outcome handlers are called even if the component has been unmounted by then.
 */
export function useAction<Input = void, Result = unknown>(
  act: (input: Input) => Promise<Result>,
  options: ActionOptions<Input, Result> = {},
): Action<Input, Result> {
  const [state, setState] = useState<State<Input, Result>>({ kind: 'idle' })
  const lockedSubjects = useRef(new Set<string>())
  const latest = useLatest({ act, options })

  const run = useCallback(
    (input: Input, handlers: OutcomeHandlers<Input, Result> = {}) => {
      const { act, options } = latest.current
      const subject = options.getSubject?.(input) ?? ''
      if (lockedSubjects.current.has(subject)) return
      lockedSubjects.current.add(subject)
      setState({ kind: 'running', input })

      const succeed = async (result: Result) => {
        const refreshing = options.refresh?.()
        options.onSuccess?.(result, input)
        handlers.onSuccess?.(result, input)
        if (options.isRepeatable) {
          await refreshing
          lockedSubjects.current.delete(subject)
        }
        setState({ kind: 'done', input, result })
      }
      const fail = (error: Error) => {
        void options.refresh?.()
        lockedSubjects.current.delete(subject)
        setState({ kind: 'failed', error })
        options.onError?.(error, input)
        handlers.onError?.(error, input)
      }
      void act(input).then(succeed, fail)
    },
    [latest],
  )
  const isLocked = useCallback(() => lockedSubjects.current.size > 0, [])
  const reset = useCallback(() => setState((current) => (current.kind === 'failed' ? { kind: 'idle' } : current)), [])
  return {
    run,
    reset,
    isLocked,
    isBusy: state.kind === 'running' || (state.kind === 'done' && !options.isRepeatable),
    input: 'input' in state ? state.input : undefined,
    result: state.kind === 'done' ? state.result : undefined,
    error: state.kind === 'failed' ? state.error : undefined,
  }
}
