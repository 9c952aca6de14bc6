import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type ActionOptions, useAction } from '../components/form/use-action.ts'

/**
 * The queries to reload when a file or directory changes. A new or removed file also changes the size of its directory, the
 * totals, the trash, and the states of links.
 */
const storageQueries = ['files', 'directories', 'uploads', 'links', 'stats', 'companies', 'access']

/** Returns a function that marks these queries as stale and reloads those on the screen. */
export function useRefreshStorage() {
  const client = useQueryClient()
  return useCallback(() => Promise.all(storageQueries.map((name) => client.invalidateQueries({ queryKey: [name] }))), [client])
}

/** Returns an action that changes stored files or directories, and reloads the affected queries. */
export function useStorageAction<Input, Result>(
  act: (input: Input) => Promise<Result>,
  options: Omit<ActionOptions<Input, Result>, 'refresh'> = {},
) {
  const refresh = useRefreshStorage()
  return useAction(act, { ...options, refresh })
}
