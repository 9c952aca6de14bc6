import { type ActivityFilters, api } from '@neptune/contract'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { readRows } from '../../api/read-rows.ts'
import { save } from '../../api/save.ts'
import { useAction } from '../../components/use-action.ts'

/** What happened, page by page, the newest first. It is asked for anew whenever it is looked at: nothing here tells when more happens. */
export const activityQuery = (filters: ActivityFilters) =>
  infiniteQueryOptions({
    queryKey: ['activity', filters],
    queryFn: ({ pageParam, signal }) =>
      readRows((cursor) => call(api.activity.list, { query: { ...filters, limit: 50, cursor } }, { signal }), pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  })

/** All that the filters leave, not only what is on the screen. */
export const useExportActivity = () =>
  useAction(
    async (body: ActivityFilters) => {
      const { data } = await call(api.activity.export, { body })
      save(data.url, '', 'text/csv')
    },
    { isRepeatable: true },
  )
