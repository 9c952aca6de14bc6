import { api } from '@neptune/contract'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'

export const sessionsQuery = () =>
  queryOptions({ queryKey: ['sessions'], queryFn: ({ signal }) => call(api.identity.sessions, {}, { signal }) })

export function useEndSession() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(api.identity.endSession, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  })
}
