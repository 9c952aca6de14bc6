import { api } from '@neptune/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'

export const statsQuery = () =>
  queryOptions({
    queryKey: ['stats'],
    queryFn: ({ signal }) => call(api.stats.read, {}, { signal }),
    // What failed comes back by itself: there is no button for three numbers.
    refetchInterval: ({ state }) => (state.status === 'error' ? 5000 : false),
  })

/** What the dashboard shows besides. Whatever changes the totals changes this, so it is asked for again with them. */
export const dashboardQuery = () =>
  queryOptions({
    queryKey: ['stats', 'dashboard'],
    queryFn: ({ signal }) => call(api.stats.dashboard, {}, { signal }).then(({ data }) => data),
  })
