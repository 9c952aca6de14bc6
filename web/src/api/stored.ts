import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type ActionOptions, useAction } from '../components/use-action.ts'

/** What is stored hangs together: a file that comes or goes changes its directory's size, the totals, the trash and what a link shares. */
const stored = ['files', 'directories', 'stats', 'companies', 'access']

/** Reloads all of it that is on the screen. */
export function useRefreshStored() {
  const client = useQueryClient()
  return useCallback(() => Promise.all(stored.map((name) => client.invalidateQueries({ queryKey: [name] }))), [client])
}

/** A change to what is stored. */
export function useStoredChange<Input, Result>(
  act: (input: Input) => Promise<Result>,
  options: Omit<ActionOptions<Input, Result>, 'refresh'> = {},
) {
  const refresh = useRefreshStored()
  return useAction(act, { ...options, refresh })
}
