import { api } from '@neptune/contract'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { useAction } from '../../components/form/use-action.ts'

/** Loads the user’s own sessions or, for admins, those of `owner`. */
export const sessionsQuery = (owner?: string) =>
  queryOptions({
    queryKey: [...sessionsKey, owner ?? 'own'],
    queryFn: ({ signal }) =>
      owner === undefined
        ? call(api.identity.sessions, {}, { signal })
        : call(api.identity.sessionsOf, { params: { id: owner } }, { signal }),
  })

export function useEndSession(owner: string | undefined) {
  const client = useQueryClient()
  return useAction(
    (id: string) =>
      owner === undefined
        ? call(api.identity.endSession, { params: { id } })
        : call(api.identity.endSessionOf, { params: { id: owner, session: id } }),
    { isRepeatable: true, refresh: () => client.invalidateQueries({ queryKey: sessionsKey }) },
  )
}

/** Signs another user out everywhere, which also revokes their API tokens. */
export function useEndAllSessions() {
  const client = useQueryClient()
  return useAction((id: string) => call(api.identity.endAllSessionsOf, { params: { id } }), {
    refresh: () => Promise.all([sessionsKey, ['tokens']].map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
}

const sessionsKey = ['sessions']
