import type { Delivery, DeliveryState, WebhookEvent, WebhookRow } from '@neptune/contract'
import { type Text, t, translateMessage } from '../../words/t.ts'

/** What a webhook is told of. */
export const eventNames = {
  upload: 'Uploads',
  download: 'Downloads',
  'link.opened': 'Links opened',
} as const satisfies Record<WebhookEvent, Text>

export const eventsOf = ({ events }: WebhookRow) => events.map((event) => t(eventNames[event])).join(', ')

/** What one delivery tells. */
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

export const deliveryStateOptions = () => Object.entries(deliveryStateNames).map(([value, name]) => ({ value, label: t(name) }))

/** Where it goes, in two parts. That nothing hides it on the way is usual, and not said. */
export function splitAddress({ url }: Pick<WebhookRow, 'url'>): { host: string; rest: string } {
  const { protocol, host, pathname, search } = new URL(url)
  const rest = pathname + search
  return { host: protocol === 'https:' ? host : `${protocol}//${host}`, rest: rest === '/' ? '' : rest }
}

/** What a webhook is called. */
export const webhookName = (webhook: Pick<WebhookRow, 'url'>) => Object.values(splitAddress(webhook)).join('')

/** What the server says went wrong. What it cannot know itself is shown as it is. */
export function translateDeliveryProblem(problem: string): string {
  const [, reason = ''] = /\(([^()]+)\)\.$/.exec(problem) ?? []
  const text = withReason.find((text) => text.replace('{reason}', reason) === problem)
  return text ? t(text, { reason }) : translateMessage(problem)
}

const withReason = ['The certificate is not trusted ({reason}).', 'The request failed ({reason}).'] as const satisfies Text[]
