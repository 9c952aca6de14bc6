import * as z from 'zod/mini'
import { FilterId, Flag, Id, Instant, listQuery, listReply, text } from './common.ts'
import { endpoint } from './endpoint.ts'

export const WebhookEvent = z.enum(['upload', 'download', 'link.opened'], 'This must be upload, download or link.opened.')
export type WebhookEvent = z.infer<typeof WebhookEvent>

/** A URL that a company's events are sent to. Its secret is returned only once, on creation. */
export const WebhookRow = z.object({
  id: Id,
  /** The company's id, and its name. */
  company: Id,
  client: z.string(),
  url: z.string(),
  events: z.array(WebhookEvent),
  created_at: Instant,
  /** The name of the owner: the user who created or last changed it. */
  maker: z.string(),
  /** While paused, new events are not queued, and deliveries that were queued earlier wait until it is resumed. */
  paused: z.boolean(),
  /** Why Neptune paused it; null if a user did. */
  problem: z.nullable(z.string()),
  /** The number of consecutive failed attempts, and the time of the first one. */
  failures: z.number(),
  failing_since: z.nullable(Instant),
})
export type WebhookRow = z.infer<typeof WebhookRow>

/** `waiting`: the next attempt is at `next_at`. `sent`: answered with 2xx. `failed`: there are no more attempts. */
export const DeliveryState = z.enum(['waiting', 'sent', 'failed'], 'This must be waiting, sent or failed.')
export type DeliveryState = z.infer<typeof DeliveryState>

/** The delivery of one event to one webhook. */
export const Delivery = z.object({
  id: Id,
  /** The event; `ping` is a test. */
  event: z.enum([...WebhookEvent.options, 'ping']),
  state: DeliveryState,
  created_at: Instant,
  tries: z.number(),
  /** The time of the next attempt, if any. */
  next_at: z.nullable(Instant),
  /** The HTTP status of the last response, if any. */
  status: z.nullable(z.number()),
  /** The error of the last attempt. */
  problem: z.nullable(z.string()),
})
export type Delivery = z.infer<typeof Delivery>

const Url = text(2000)
const Events = z.array(WebhookEvent).check(z.minLength(1, 'This must not be empty.'), z.maxLength(10, 'Send at most 10 at once.'))
const byId = { params: z.strictObject({ id: Id }), access: 'staff' } as const
const row = z.object({ data: WebhookRow })

export const webhook = {
  list: endpoint({
    method: 'GET',
    path: '/v1/webhook',
    access: 'staff',
    summary: 'List webhooks: of every company for admins, of the companies they have access to for users',
    query: z.object({ company: FilterId, ...listQuery(['created_at']) }),
    reply: listReply(WebhookRow),
    errors: ['server.busy'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/webhook',
    access: 'staff',
    isSensitive: true,
    summary:
      'Create a webhook, which sends the events of a company to a URL, signed with a secret. The secret is shown only once',
    body: z.strictObject({ company: Id, url: Url, events: Events }),
    reply: z.object({ data: z.extend(WebhookRow, { secret: z.string() }) }),
    errors: ['company.not_found', 'webhook.too_many'],
  }),
  change: endpoint({
    ...byId,
    method: 'PATCH',
    path: '/v1/webhook/{id}',
    summary: 'Change the URL or the events of a webhook, pause it or resume it. The caller becomes its owner',
    body: z.strictObject({ url: z.optional(Url), events: z.optional(Events), paused: z.optional(Flag) }),
    reply: row,
    errors: ['session.unconfirmed', 'webhook.not_found'],
  }),
  remove: endpoint({
    ...byId,
    method: 'DELETE',
    path: '/v1/webhook/{id}',
    summary: 'Delete a webhook and its queued deliveries',
    reply: 'none',
    errors: ['webhook.not_found'],
  }),
  test: endpoint({
    ...byId,
    method: 'POST',
    path: '/v1/webhook/{id}/test',
    summary: 'Send a ping to a webhook',
    reply: z.object({ data: Delivery }),
    errors: ['webhook.not_found', 'webhook.paused', 'webhook.too_many_tests'],
  }),
  deliveries: endpoint({
    ...byId,
    method: 'GET',
    path: '/v1/webhook/{id}/delivery',
    summary: 'List the deliveries of the last 30 days, newest first',
    query: z.object({ state: z.optional(DeliveryState), ...listQuery(['created_at']) }),
    reply: listReply(Delivery),
    errors: ['webhook.not_found', 'server.busy'],
  }),
}
