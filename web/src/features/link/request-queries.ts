import { type Args, api } from '@neptune/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { pollUnlessLive } from '../../api/live-state.ts'
import { useLinkChange } from './use-link-change.ts'

/** Loads the open requests of recipients. Without a live connection, refetches every minute, because someone is waiting for the answer. */
export const openRequestsQuery = () =>
  queryOptions({
    queryKey: ['links', 'asks'],
    queryFn: ({ signal }) => call(api.link.asks, {}, { signal }).then(({ data }) => data),
    refetchInterval: pollUnlessLive(60_000),
  })

export const useAnswerRequest = () =>
  useLinkChange(
    ({ id, ...body }: { id: string } & Args<typeof api.link.answer>['body']) =>
      call(api.link.answer, { params: { id }, body }).then(({ data }) => data),
    { isRepeatable: true },
  )
