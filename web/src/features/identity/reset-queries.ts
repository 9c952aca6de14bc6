import { api } from '@neptune/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { resetPassword } from '../../api/session.ts'
import { useAction } from '../../components/use-action.ts'

export const useForgot = () => useAction((email: string) => call(api.identity.forgot, { body: { email } }))

/** Whose password the link is for. Asked once: what happens to the link later is told when it is used. */
export const resetQuery = (token: string) =>
  queryOptions({
    queryKey: ['reset', token],
    queryFn: ({ signal }) => call(api.identity.checkReset, { body: { token } }, { signal }),
    staleTime: Infinity,
  })

export const useReset = () => useAction(resetPassword)
