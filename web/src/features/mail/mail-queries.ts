import { type Args, api, type MailRow } from '@neptune/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { readRows } from '../../api/read-rows.ts'
import { type ActionOptions, useAction } from '../../components/form/use-action.ts'

export type MailFilter = Pick<Args<typeof api.mail.list>['query'], 'search' | 'state' | 'sort'>

/**
 * Loads emails, page by page. Refetches every 3 seconds while one is being sent, so that its progress shows; otherwise every 15 seconds,
 * because emails outside the filter may change.
 */
export const mailsQuery = (filter: MailFilter) =>
  infiniteQueryOptions({
    queryKey: [...mailsKey, filter],
    queryFn: ({ pageParam, signal }) =>
      readRows((cursor) => call(api.mail.list, { query: { ...filter, limit: 50, cursor } }, { signal }), pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.pages.some(({ data }) => data.some(isPending)) ? 3000 : 15_000),
  })

/** Loads how emails are delivered. Admins can change it in the settings. */
export const mailWayQuery = () =>
  queryOptions({
    queryKey: [...mailsKey, 'way'],
    queryFn: async ({ signal }) => (await call(api.mail.way, {}, { signal })).data.way,
    staleTime: 60_000,
  })

/** Returns whether emails are sent. True until it is known, because most installations have a mail server. */
export const useHasMailServer = () => useQuery(mailWayQuery()).data !== 'files'

export const useSendTestMail = (options: Pick<ActionOptions<string, unknown>, 'isRepeatable'> = {}) =>
  useMailChange((to: string) => call(api.mail.test, { body: { to } }), options)

/** Loads the result of an email that was just sent. Refetches every second until this is certain. */
export const sentMailQuery = (sent: MailRow) =>
  queryOptions({
    queryKey: [...mailsKey, 'sent', sent.id],
    queryFn: async ({ signal }) => {
      const { data } = await call(api.mail.list, { query: { search: sent.to, limit: 50 } }, { signal })
      return data.find(({ id }) => id === sent.id) ?? sent
    },
    refetchInterval: ({ state: { data = sent } }) => (isPending(data) ? 1000 : false),
  })

export const useSendAgain = () => useMailChange((id: string) => call(api.mail.again, { params: { id } }), { isRepeatable: true })

const mailsKey = ['mails']

const isPending = ({ state }: MailRow) => state === 'waiting' || state === 'sending'

function useMailChange<Input, Result>(act: (input: Input) => Promise<Result>, options: ActionOptions<Input, Result> = {}) {
  const client = useQueryClient()
  return useAction(act, { ...options, refresh: () => client.invalidateQueries({ queryKey: mailsKey }) })
}
