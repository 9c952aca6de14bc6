import { api } from '@neptune/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { resetPassword } from '../../api/session.ts'
import { useAction } from '../../components/form/use-action.ts'

export const useRequestPasswordReset = () => useAction((email: string) => call(api.identity.forgot, { body: { email } }))

/** Loads the user whose password the link resets. Fetched once: if the link expires later, submitting the form reports that. */
export const passwordResetQuery = (token: string) =>
  queryOptions({
    queryKey: ['reset', token],
    queryFn: ({ signal }) => call(api.identity.checkReset, { body: { token } }, { signal }),
    staleTime: Infinity,
  })

export const useResetPassword = () => useAction(resetPassword)
