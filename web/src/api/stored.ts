import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'

/** What is stored hangs together: a file that comes or goes changes its directory's size, the totals, the trash and what a link shares. */
const stored = ['files', 'directories', 'stats', 'companies', 'access']

/** Asks again for all of it that is on the screen. */
export function useRefreshStored() {
  const client = useQueryClient()
  return useCallback(() => {
    for (const name of stored) void client.invalidateQueries({ queryKey: [name] })
  }, [client])
}

interface Outcome<Input, Result> {
  onSuccess?: (result: Result, input: Input) => void
  onError?: (error: Error, input: Input) => void
}

/** A change to what is stored. A refusal, too, says that the screen is not up to date. */
export function useStoredChange<Input, Result>(
  mutationFn: (input: Input) => Promise<Result>,
  outcome: Outcome<Input, Result> = {},
) {
  const refresh = useRefreshStored()
  return useMutation({ mutationFn, ...outcome, onSettled: refresh })
}
