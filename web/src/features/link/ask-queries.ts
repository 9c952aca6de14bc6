import { api } from '@neptune/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { useLinkChange } from './link-change.ts'

const refetchIntervalMs = 60_000

/** Open requests of recipients. Refetched every minute, because someone is waiting for the answer. */
export const openAsksQuery = () =>
  queryOptions({
    queryKey: ['links', 'asks'],
    queryFn: ({ signal }) => call(api.link.asks, {}, { signal }).then(({ data }) => data),
    refetchInterval: refetchIntervalMs,
  })

export const useAnswerAsk = () =>
  useLinkChange(
    ({ id, grant }: { id: string; grant: boolean }) =>
      call(api.link.answer, { params: { id }, body: { grant } }).then(({ data }) => data),
    { isRepeatable: true },
  )
