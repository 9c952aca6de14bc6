import { type Args, api } from '@neptune/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { getSession, renewInfo } from '../../api/session-store.ts'

/** This tab shows it at once, the others when they are looked at again. One's name stands on the rows of many lists. */
export function useChangeOwnDetails() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: Args<typeof api.identity.change>['body']) => {
      const session = getSession()
      const { data } = await call(api.identity.change, { body })
      if (session.kind === 'signed-in') renewInfo(data, session.token)
    },
    onSuccess: () => client.invalidateQueries(),
  })
}
