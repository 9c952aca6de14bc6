import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type ActionOptions, useAction } from '../components/use-action.ts'

/** A file that comes or goes also changes its directory's size, the totals, the trash, and the states of links. */
const stored = ['files', 'directories', 'uploads', 'links', 'stats', 'companies', 'access']

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
