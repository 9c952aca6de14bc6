import { type Args, api, type Delivery, type DeliveryState, type WebhookRow } from '@neptune/contract'
import { infiniteQueryOptions, keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../api/client.ts'
import { readRows } from '../../api/read-rows.ts'
import { type ActionOptions, useAction } from '../../components/form/use-action.ts'

/** Loads webhooks, page by page. Refetches regularly, because the server may report failures or pause a webhook. */
export const webhooksQuery = (company: string | undefined) =>
  infiniteQueryOptions({
    queryKey: [...webhooksKey, 'list', company],
    queryFn: ({ pageParam, signal }) => call(api.webhook.list, { query: { company, limit: 50, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: idleIntervalMs,
  })

/** Loads the deliveries of a webhook, newest first. Refetches often while one is in progress, so that its result shows soon. */
export const deliveriesQuery = (id: string, state: DeliveryState | undefined) =>
  infiniteQueryOptions({
    queryKey: [...webhooksKey, 'deliveries', id, state],
    queryFn: ({ pageParam, signal }) =>
      readRows(
        (cursor) => call(api.webhook.deliveries, { params: { id }, query: { state, limit: 50, cursor } }, { signal }),
        pageParam,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.data.some(isInProgress) ? busyIntervalMs : idleIntervalMs),
  })

/** Refetches the list of webhooks on unmount: a delivery may have failed in the meantime, which changes a webhook’s state. */
export function useRefreshWebhooksOnLeave(): void {
  const client = useQueryClient()
  useEffect(() => () => void client.invalidateQueries({ queryKey: [...webhooksKey, 'list'] }), [client])
}

const busyIntervalMs = 1500
const idleIntervalMs = 15_000

/** Returns whether a result is expected soon: a new delivery with at most one attempt. After the second, the next is minutes away. */
const isInProgress = ({ state, tries, created_at }: Delivery) =>
  state === 'waiting' && tries < 2 && Date.now() - Date.parse(created_at) < 60_000

export const useCreateWebhook = () =>
  useWebhookChange((body: Args<typeof api.webhook.create>['body']) => call(api.webhook.create, { body }).then(({ data }) => data))

export const useChangeWebhook = (options: Pick<ActionOptions<{ id: string }, WebhookRow>, 'isRepeatable' | 'getSubject'> = {}) =>
  useWebhookChange(
    ({ id, ...body }: { id: string } & Args<typeof api.webhook.change>['body']) =>
      call(api.webhook.change, { params: { id }, body }).then(({ data }) => data),
    options,
  )

export const useTestWebhook = () =>
  useWebhookChange((id: string) => call(api.webhook.test, { params: { id } }), { isRepeatable: true, getSubject: (id) => id })

export const useRemoveWebhook = () => useWebhookChange((id: string) => call(api.webhook.remove, { params: { id } }))

const webhooksKey = ['webhooks']

function useWebhookChange<Input, Result>(act: (input: Input) => Promise<Result>, options: ActionOptions<Input, Result> = {}) {
  const client = useQueryClient()
  return useAction(act, { ...options, refresh: () => client.invalidateQueries({ queryKey: webhooksKey }) })
}
