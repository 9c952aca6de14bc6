import { type Action, type ActionOptions, useAction } from '../../components/form/use-action.ts'

/** Thrown if the person cancels the browser’s dialog, or doesn’t answer it in time. */
export class PasskeyCanceled extends Error {}

/** Runs an action that opens the browser’s dialog for passkeys. Canceling that dialog is not an error. */
export function usePasskeyAction<Input = void, Result = unknown>(
  act: (input: Input) => Promise<Result>,
  options: ActionOptions<Input, Result> = {},
): Action<Input, Result> {
  const action = useAction(act, options)
  return action.error instanceof PasskeyCanceled ? { ...action, error: undefined } : action
}
