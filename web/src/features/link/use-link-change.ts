import { useQueryClient } from '@tanstack/react-query'
import { type ActionOptions, useAction } from '../../components/form/use-action.ts'

/** Returns an action that changes links, then refetches the links and the totals. */
export function useLinkChange<Input = void, Result = unknown>(
  act: (input: Input) => Promise<Result>,
  options: Omit<ActionOptions<Input, Result>, 'refresh'> = {},
) {
  const client = useQueryClient()
  const refresh = () => Promise.all(['links', 'stats'].map((name) => client.invalidateQueries({ queryKey: [name] })))
  return useAction(act, { ...options, refresh })
}
