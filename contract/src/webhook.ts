import * as z from 'zod/mini'
import { Flag, filterId, Id, Instant, listQuery, listReply, text } from './common.ts'
import { endpoint } from './endpoint.ts'

export const WebhookEvent = z.enum(['upload', 'download', 'link.opened'], 'This must be upload, download or link.opened.')
export type WebhookEvent = z.infer<typeof WebhookEvent>

/** Where a company's events are sent. Its secret is told once, when it is made. */
export const WebhookRow = z.object({
  id: Id,
  /** The company's id, and its name. */
  company: Id,
  client: z.string(),
  url: z.string(),
  events: z.array(WebhookEvent),
  created_at: Instant,
  /** Who answers for it: whoever made it, or changed it last. */
  maker: z.string(),
  /** Paused, it is told of nothing that happens meanwhile; what waited before goes on waiting. */
  paused: z.boolean(),
  /** Why it is paused, if nobody asked for that. */
  problem: z.nullable(z.string()),
  /** How many tries in a row have failed, and since when. */
  failures: z.number(),
  failing_since: z.nullable(Instant),
})
export type WebhookRow = z.infer<typeof WebhookRow>

/** `waiting` will be tried (again) at `next_at`, `sent` was answered with 2xx, `failed` was given up. */
export const DeliveryState = z.enum(['waiting', 'sent', 'failed'], 'This must be waiting, sent or failed.')
export type DeliveryState = z.infer<typeof DeliveryState>

/** One event on its way to one webhook. */
export const Delivery = z.object({
  id: Id,
  /** What happened; `ping` is a test. */
  event: z.enum([...WebhookEvent.options, 'ping']),
  state: DeliveryState,
  created_at: Instant,
  tries: z.number(),
  /** When it is tried next; null when it is not. */
  next_at: z.nullable(Instant),
  /** The status of the last answer, if there was one. */
  status: z.nullable(z.number()),
  /** What went wrong at the last try, in words. */
  problem: z.nullable(z.string()),
})
export type Delivery = z.infer<typeof Delivery>

const Url = text(2000)
const Events = z.array(WebhookEvent).check(z.minLength(1, 'This must not be empty.'), z.maxLength(10, 'At most 10 at once.'))
const one = { params: z.strictObject({ id: Id }), access: 'staff' } as const
const row = z.object({ data: WebhookRow })

export const webhook = {
  list: endpoint({
    method: 'GET',
    path: '/v1/webhook',
    access: 'staff',
    summary: 'List webhooks: of every company for admins, of their own for users',
    query: z.object({ company: filterId, ...listQuery(['created_at']) }),
    reply: listReply(WebhookRow),
    errors: ['server.busy'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/webhook',
    access: 'staff',
    summary: 'Have a company’s events sent to an address, signed with a secret. The secret is told once',
    body: z.strictObject({ company: Id, url: Url, events: Events }),
    reply: z.object({ data: z.extend(WebhookRow, { secret: z.string() }) }),
    errors: ['company.not_found', 'webhook.too_many'],
  }),
  change: endpoint({
    ...one,
    method: 'PATCH',
    path: '/v1/webhook/{id}',
    summary:
      'Change where a webhook goes and what it is told, pause it or let it go on. Whoever does answers for it from then on',
    body: z.strictObject({ url: z.optional(Url), events: z.optional(Events), paused: z.optional(Flag) }),
    reply: row,
    errors: ['webhook.not_found'],
  }),
  remove: endpoint({
    ...one,
    method: 'DELETE',
    path: '/v1/webhook/{id}',
    summary: 'Delete a webhook, and what waits for it',
    reply: 'none',
    errors: ['webhook.not_found'],
  }),
  test: endpoint({
    ...one,
    method: 'POST',
    path: '/v1/webhook/{id}/test',
    summary: 'Send a ping to a webhook',
    reply: z.object({ data: Delivery }),
    errors: ['webhook.not_found', 'webhook.paused', 'webhook.too_many_tests'],
  }),
  deliveries: endpoint({
    ...one,
    method: 'GET',
    path: '/v1/webhook/{id}/delivery',
    summary: 'What became of each delivery of the last thirty days, the newest first',
    query: z.object({ state: z.optional(DeliveryState), ...listQuery(['created_at']) }),
    reply: listReply(Delivery),
    errors: ['webhook.not_found', 'server.busy'],
  }),
}
