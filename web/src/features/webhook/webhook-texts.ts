import type { Delivery, DeliveryState, WebhookEvent, WebhookRow } from '@neptune/contract'
import { type Text, t, translateMessage } from '../../i18n/t.ts'

/** Events a webhook can subscribe to. */
export const webhookEventNames = {
  upload: 'Uploads',
  download: 'Downloads',
  'link.opened': 'Links opened',
} as const satisfies Record<WebhookEvent, Text>

export const formatEvents = ({ events }: WebhookRow) => events.map((event) => t(webhookEventNames[event])).join(', ')

/** What a delivery reports. */
export const deliveryNames = {
  upload: 'Uploaded',
  download: 'Downloaded',
  'link.opened': 'Link opened',
  ping: 'Test',
} as const satisfies Record<Delivery['event'], Text>

export const deliveryStateNames = { waiting: 'Waiting', sent: 'Sent', failed: 'Failed' } as const satisfies Record<
  DeliveryState,
  Text
>

export const getDeliveryStateOptions = () =>
  Object.entries(deliveryStateNames).map(([value, name]) => ({ value, label: t(name) }))

/** Splits the address into host and path. Omits `https://`, which is the default. */
export function splitAddress({ url }: Pick<WebhookRow, 'url'>): { host: string; path: string } {
  const { protocol, host, pathname, search } = new URL(url)
  const path = pathname + search
  return { host: protocol === 'https:' ? host : `${protocol}//${host}`, path: path === '/' ? '' : path }
}

/** Returns the display name of a webhook: its address without `https://`. */
export const getWebhookName = (webhook: Pick<WebhookRow, 'url'>) => Object.values(splitAddress(webhook)).join('')

/** Translates the server’s error message. The reason in parentheses stays as it is. */
export function translateDeliveryProblem(problem: string): string {
  const [, reason = ''] = /\(([^()]+)\)\.$/.exec(problem) ?? []
  const template = templates.find((template) => template.replace('{reason}', reason) === problem)
  return template ? t(template, { reason }) : translateMessage(problem)
}

const templates = ['The certificate is not trusted ({reason}).', 'The request failed ({reason}).'] as const satisfies Text[]
