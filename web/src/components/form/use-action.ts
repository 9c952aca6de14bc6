import { useCallback, useRef, useState } from 'react'
import { useLatest } from '../use-latest.ts'

type State<Input, Result> =
  | { kind: 'idle' }
  | { kind: 'running'; input: Input }
  | { kind: 'failed'; error: Error }
  | { kind: 'done'; input: Input; result: Result }

interface Outcome<Input, Result> {
  onSuccess?: (result: Result, input: Input) => void
  onError?: (error: Error, input: Input) => void
}

export interface ActionOptions<Input, Result> extends Outcome<Input, Result> {
  /**
   * Whether it may run again after a success. Without it the action stays locked after a success, until the dialog or form that
   * holds it is gone.
   */
  isRepeatable?: boolean
  /** Returns the subject of an input. Actions on different subjects run in parallel. */
  subjectOf?: (input: Input) => string
  /** Reloads what the action may have changed, after a failure as well. A repeatable action stays locked until it is reloaded. */
  refresh?: () => Promise<unknown>
}

/** The state of an action, for the dialog that confirms it. */
export interface ActionStatus {
  /** For display. Follows the lock with the next render. */
  isBusy: boolean
  /** Returns true as soon as the action starts, so that a button that is not yet rendered as busy cannot start it again. */
  isLocked: () => boolean
}

export interface Action<Input, Result> extends ActionStatus {
  /** Starts the action, unless it is locked: then this does nothing. */
  run: (input: Input, outcome?: Outcome<Input, Result>) => void
  /** Clears the last failure. */
  reset: () => void
  /** The input of the running or last successful run. */
  input: Input | undefined
  result: Result | undefined
  error: Error | undefined
}

/**
 * An action that a press starts and that must not start twice. Every request that changes something goes through here. The
 * lock is taken synchronously, so it also stops presses that were queued before the page could react. A failure releases it.
 * Outcomes are reported even if the component is gone by then.
 */
export function useAction<Input = void, Result = unknown>(
  act: (input: Input) => Promise<Result>,
  options: ActionOptions<Input, Result> = {},
): Action<Input, Result> {
  const [state, setState] = useState<State<Input, Result>>({ kind: 'idle' })
  const locked = useRef(new Set<string>())
  const latest = useLatest({ act, options })

  const run = useCallback(
    (input: Input, outcome: Outcome<Input, Result> = {}) => {
      const { act, options } = latest.current
      const subject = options.subjectOf?.(input) ?? ''
      if (locked.current.has(subject)) return
      locked.current.add(subject)
      setState({ kind: 'running', input })

      const succeed = async (result: Result) => {
        const refreshed = options.refresh?.()
        options.onSuccess?.(result, input)
        outcome.onSuccess?.(result, input)
        if (options.isRepeatable) {
          await refreshed
          locked.current.delete(subject)
        }
        setState({ kind: 'done', input, result })
      }
      const fail = (error: Error) => {
        void options.refresh?.()
        locked.current.delete(subject)
        setState({ kind: 'failed', error })
        options.onError?.(error, input)
        outcome.onError?.(error, input)
      }
      void act(input).then(succeed, fail)
    },
    [latest],
  )
  const isLocked = useCallback(() => locked.current.size > 0, [])
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
