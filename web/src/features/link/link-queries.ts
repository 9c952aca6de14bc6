import { type Args, api, type LinkRow, type Reply } from '@neptune/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { pollUnlessLive } from '../../api/live-state.ts'
import { readRows } from '../../api/read-rows.ts'
import { useUpdateReadyLink } from './ready-link.ts'
import { useLinkChange } from './use-link-change.ts'

export type LinkFilter = Omit<Args<typeof api.link.list>['query'], 'limit' | 'cursor'>

/** Loads links, page by page. The previous rows stay visible until those of a new filter arrive. */
export const linksQuery = (filter: LinkFilter) =>
  infiniteQueryOptions({
    queryKey: ['links', 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      readRows((cursor) => call(api.link.list, { query: { ...filter, limit: 50, cursor } }, { signal }), pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    // Picks up new visits of recipients, but not after many pages: refetching them all would be expensive.
    refetchInterval: ({ state }) => (state.data && state.data.pages.length <= 4 ? pollUnlessLive(30_000)() : false),
  })

/** Loads the newest links of an owner. */
export const ownedLinksQuery = (owner: string, limit: number) =>
  queryOptions({
    queryKey: ['links', 'owned', owner, limit],
    queryFn: async ({ signal }) => {
      const query = { owner, sort: '-created_at', limit } as const
      return (await readRows((cursor) => call(api.link.list, { query: { ...query, cursor } }, { signal }), undefined, limit)).data
    },
  })

/** Returns the current state of a link. The row in the list may be minutes old. */
export function useFreshLink(link: LinkRow): LinkRow {
  const { data } = useInfiniteQuery(linksQuery({ search: link.key }))
  return data?.pages[0]?.data.find(({ key }) => key === link.key) ?? link
}

/** Loads the first files of a link to several files, by name. */
export const sharedFilesQuery = (key: string, limit: number) =>
  queryOptions({
    queryKey: ['files', 'of-link', key, limit],
    queryFn: async ({ signal }) => {
      const query = { link: key, sort: 'name', limit } as const
      return (await readRows((cursor) => call(api.file.list, { query: { ...query, cursor } }, { signal }), undefined, limit)).data
    },
  })

/** Loads the activity of a link, newest first. */
export const linkActivityQuery = (key: string) =>
  infiniteQueryOptions({
    queryKey: ['links', 'activity', key],
    queryFn: ({ pageParam, signal }) =>
      call(api.link.activity, { params: { key }, query: { limit: 50, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })

/** Loads the files of a directory for a select, in pages of the maximum size. */
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

/** What a key and code are reserved for: a new link to a directory, or a new code for an existing link. */
export type ReservationPurpose = { company: string; directory: string } | { accessKey: string }

export type Reservation = Reply<typeof api.link.initialise>['data']

/** Reserves a key and a code. */
export const reserveLink = (purpose: ReservationPurpose) =>
  call(api.link.initialise, { body: { type: getReservationType(purpose), ...purpose } }).then(({ data }) => data)

/**
 * Reserves a key and a code as soon as the purpose is known. Fetched once, so that the values shown don’t change. Fails at once
 * when offline.
 */
export const reservationQuery = (purpose: ReservationPurpose) =>
  queryOptions({
    queryKey: ['reservation', purpose],
    queryFn: () => reserveLink(purpose),
    enabled: 'accessKey' in purpose || (purpose.company !== '' && purpose.directory !== ''),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    networkMode: 'always',
  })

const getReservationType = (purpose: ReservationPurpose) => ('accessKey' in purpose ? 'RESET' : 'INITIALISE')

export const createLink = (body: Args<typeof api.link.create>['body']) => call(api.link.create, { body }).then(({ data }) => data)

export const resetLink = (body: Args<typeof api.link.reset>['body']) => call(api.link.reset, { body }).then(({ data }) => data)

/** Sends the details of a link to one recipient. */
export const emailLink = (body: Args<typeof api.link.email>['body']) => call(api.link.email, { body })

export const useSendLink = () => useLinkChange(emailLink)

/** Extends a link until the given time, or by 30 days. */
export function useExtendLink() {
  const updateReadyLink = useUpdateReadyLink()
  return useLinkChange(
    ({ key, expiry }: { key: string; expiry?: string }) =>
      call(api.link.extend, { params: { key }, body: expiry === undefined ? {} : { expiry } }).then(({ data }) => data),
    { isRepeatable: true, onSuccess: updateReadyLink },
  )
}

/** Loads a link’s code. This creates an audit entry, so the link’s activity is refetched. */
export const useShowCode = () =>
  useLinkChange((key: string) => call(api.link.code, { params: { key } }).then(({ data }) => data.accessCode))

/** The limit of one call. */
const maxBatchSize = 200

export const useRemoveLinks = () =>
  useLinkChange(async (links: readonly LinkRow[]) => {
    const keys = links.map(({ key }) => key)
    if (keys.length === 1) return call(api.link.remove, { params: { key: keys[0] ?? '' } })
    for (let from = 0; from < keys.length; from += maxBatchSize) {
      await call(api.link.removeMany, { body: { keys: keys.slice(from, from + maxBatchSize) } })
    }
  })
