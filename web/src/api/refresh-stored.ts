import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type ActionOptions, useAction } from '../components/form/use-action.ts'

/**
 * The queries to reload when a file is added or removed: it also changes its directory's size, the totals, the trash, and the
 * states of links.
 */
const stored = ['files', 'directories', 'uploads', 'links', 'stats', 'companies', 'access']

/** Reloads all of these queries that are on the screen. */
export function useRefreshStored() {
  const client = useQueryClient()
  return useCallback(() => Promise.all(stored.map((name) => client.invalidateQueries({ queryKey: [name] }))), [client])
}

/** Returns an action that changes stored files or directories, and reloads the affected queries. */
export function useStoredChange<Input, Result>(
  act: (input: Input) => Promise<Result>,
  options: Omit<ActionOptions<Input, Result>, 'refresh'> = {},
) {
  const refresh = useRefreshStored()
  return useAction(act, { ...options, refresh })
}
