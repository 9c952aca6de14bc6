import { api } from '@neptune/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { acceptInvitation } from '../../api/session.ts'
import { useAction } from '../../components/form/use-action.ts'

/** Loads the user whom the link invites. Fetched once: if the link expires later, submitting the form reports that. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => call(api.identity.checkInvitation, { body: { token } }, { signal }),
    staleTime: Infinity,
  })

export const useAcceptInvitation = () => useAction(acceptInvitation)
