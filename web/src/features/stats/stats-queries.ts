import { api } from '@neptune/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { pollUnlessLive } from '../../api/live-state.ts'

export const statsQuery = () =>
  queryOptions({
    queryKey: ['stats'],
    queryFn: ({ signal }) => call(api.stats.read, {}, { signal }),
    // Retries by itself after an error, because the three totals have no retry button.
    refetchInterval: ({ state }) => (state.status === 'error' ? 5000 : false),
  })

/**
 * Loads the rest of the dashboard. The query key starts with `stats`, so it is refetched with the totals. Without a live connection,
 * refetches every minute, because recipients may wait for an answer.
 */
export const dashboardQuery = () =>
  queryOptions({
    queryKey: ['stats', 'dashboard'],
    queryFn: ({ signal }) => call(api.stats.dashboard, {}, { signal }).then(({ data }) => data),
    refetchInterval: pollUnlessLive(60_000),
  })
