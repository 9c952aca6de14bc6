import { type ActivityFilters, api } from '@neptune/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { downloadUrl } from '../../api/browser-download.ts'
import { call } from '../../api/client.ts'
import { readRows } from '../../api/read-rows.ts'
import { useAction } from '../../components/form/use-action.ts'

/** Loads the audit log, page by page, newest first. A live connection reports new entries (api/use-live.ts). */
export const activityQuery = (filters: ActivityFilters) =>
  infiniteQueryOptions({
    queryKey: ['activity', filters],
    queryFn: ({ pageParam, signal }) =>
      readRows((cursor) => call(api.activity.list, { query: { ...filters, limit: 50, cursor } }, { signal }), pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  })

/** Loads the newest entries about a person, a file or a directory. */
export const newestActivityQuery = (subject: Pick<ActivityFilters, 'person' | 'file' | 'directory'>, limit: number) =>
  queryOptions({
    queryKey: ['activity', subject, limit],
    queryFn: async ({ signal }) => (await call(api.activity.list, { query: { ...subject, limit } }, { signal })).data,
  })

/** Exports all rows that match the filters, not only those loaded. */
export const useExportActivity = () =>
  useAction(
    async (body: ActivityFilters) => {
      const { data } = await call(api.activity.export, { body })
      downloadUrl(data.url, '', 'text/csv')
    },
    { isRepeatable: true },
  )
