import { type Args, api } from '@neptune/contract'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { getSession, updateInfo } from '../../api/session-store.ts'
import { useAction } from '../../components/form/use-action.ts'

/** Changes the user’s own name or email address. Then refetches everything, because many lists show them. */
export function useChangeOwnDetails() {
  const client = useQueryClient()
  const change = async (body: Args<typeof api.identity.change>['body']) => {
    const session = getSession()
    const { data } = await call(api.identity.change, { body })
    if (session.kind === 'signed-in') updateInfo(data, session.token)
  }
  return useAction(change, { refresh: () => client.invalidateQueries() })
}
