import { api } from '@neptune/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { useLinkChange } from './link-change.ts'

const minute = 60_000

/** What recipients ask. Asked for again every minute, because somebody waits. */
export const asksQuery = () =>
  queryOptions({
    queryKey: ['links', 'asks'],
    queryFn: ({ signal }) => call(api.link.asks, {}, { signal }).then(({ data }) => data),
    refetchInterval: minute,
  })

export const useAnswerAsk = () =>
  useLinkChange(
    ({ id, grant }: { id: string; grant: boolean }) =>
      call(api.link.answer, { params: { id }, body: { grant } }).then(({ data }) => data),
    { isRepeatable: true },
  )
