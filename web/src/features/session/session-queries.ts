import { api } from '@neptune/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'

/** Who is signed in. Asking also tells us when the session was ended elsewhere: the refusal leads to the sign-in screen. */
export const currentUserQuery = () =>
  queryOptions({
    queryKey: ['identity'],
    queryFn: () => call(api.identity.current, {}),
    staleTime: 30_000,
    refetchOnWindowFocus: true,
  })
