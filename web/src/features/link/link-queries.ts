import { type Args, api, type LinkRow, type Reply } from '@neptune/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { readRows } from '../../api/read-rows.ts'
import { useLinkChange } from './link-change.ts'
import { useRenewReady } from './ready-link.ts'

export type LinkFilter = Omit<Args<typeof api.link.list>['query'], 'limit' | 'cursor'>

/** Links, page by page. The rows of the last filter stay in sight until those of the next are there. */
export const linksQuery = (filter: LinkFilter) =>
  infiniteQueryOptions({
    queryKey: ['links', 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      readRows((cursor) => call(api.link.list, { query: { ...filter, limit: 50, cursor } }, { signal }), pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    // Recipients come meanwhile. Who has scrolled far has too much to ask for again.
    refetchInterval: ({ state }) => (state.data && state.data.pages.length <= 4 ? 30_000 : false),
  })

/** As it is now: the row in the list may be minutes old. */
export function useFreshLink(link: LinkRow): LinkRow {
  const { data } = useInfiniteQuery(linksQuery({ search: link.key }))
  return data?.pages[0]?.data.find(({ key }) => key === link.key) ?? link
}

/** What happened with a link, the newest first. */
export const activityQuery = (key: string) =>
  infiniteQueryOptions({
    queryKey: ['links', 'activity', key],
    queryFn: ({ pageParam, signal }) =>
      call(api.link.activity, { params: { key }, query: { limit: 50, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })

/** The files of a directory, for a select: as many at once as one call gives. */
export const directoryFilesQuery = (directory: string, search: string) =>
  infiniteQueryOptions({
    queryKey: ['files', 'of-directory', directory, search],
    queryFn: ({ pageParam, signal }) =>
      readRows((cursor) => {
        const query = { directory, sort: 'name' as const, limit: 200, cursor, ...(search && { search }) }
        return call(api.file.list, { query }, { signal })
      }, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  })

/** What a key and a code are reserved for: a new link of a directory, or a new code for the link of that key. */
export type Purpose = { company: string; directory: string } | { accessKey: string }

export type Reservation = Reply<typeof api.link.initialise>['data']

/**
 * A key and a code, reserved as soon as it is known what for. What was shown must not change under the person's eyes, so it is
 * asked for once; and offline it fails, rather than wait in silence.
 */
export const reservationQuery = (purpose: Purpose) =>
  queryOptions({
    queryKey: ['reservation', purpose],
    queryFn: () => call(api.link.initialise, { body: { ...typeOf(purpose), ...purpose } }).then(({ data }) => data),
    enabled: 'accessKey' in purpose || (purpose.company !== '' && purpose.directory !== ''),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    networkMode: 'always',
  })

const typeOf = (purpose: Purpose) => ({ type: 'accessKey' in purpose ? ('RESET' as const) : ('INITIALISE' as const) })

export const createLink = (body: Args<typeof api.link.create>['body']) => call(api.link.create, { body }).then(({ data }) => data)

export const resetLink = (body: Args<typeof api.link.reset>['body']) => call(api.link.reset, { body }).then(({ data }) => data)

export const useSendLink = () => useLinkChange((body: Args<typeof api.link.email>['body']) => call(api.link.email, { body }))

export function useExtendLink() {
  const renew = useRenewReady()
  return useLinkChange((key: string) => call(api.link.extend, { params: { key } }).then(({ data }) => data), {
    isRepeatable: true,
    onSuccess: renew,
  })
}

/** It is recorded, so the link's activity is not what it was. */
export const useShowCode = () =>
  useLinkChange((key: string) => call(api.link.code, { params: { key } }).then(({ data }) => data.accessCode))

/** As many as one call takes at most. */
const most = 200

export const useRemoveLinks = () =>
  useLinkChange(async (links: readonly LinkRow[]) => {
    const keys = links.map(({ key }) => key)
    if (keys.length === 1) return call(api.link.remove, { params: { key: keys[0] ?? '' } })
    for (let from = 0; from < keys.length; from += most) {
      await call(api.link.removeMany, { body: { keys: keys.slice(from, from + most) } })
    }
  })
