import { api } from '@neptune/contract'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { useAction } from '../../components/form/use-action.ts'

export const sessionsQuery = () =>
  queryOptions({ queryKey: ['sessions'], queryFn: ({ signal }) => call(api.identity.sessions, {}, { signal }) })

export function useEndSession() {
  const client = useQueryClient()
  return useAction((id: string) => call(api.identity.endSession, { params: { id } }), {
    isRepeatable: true,
    refresh: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  })
}
