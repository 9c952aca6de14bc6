import { createHmac, randomBytes } from 'node:crypto'
import { type Keys, seal, unseal } from '../../lib/secrets.ts'

const prefix = 'whsec_'

/** Generates a secret as the Standard Webhooks specification defines it: 256 random bits in base64. */
export const newSecret = () => `${prefix}${randomBytes(32).toString('base64')}`

export const sealWebhookSecret = ({ seal: key }: Keys, id: string, secret: string) => seal(key, `webhook.${id}`, secret)

export const unsealSecret = ({ seal: key }: Keys, { id, secret_sealed }: { id: string; secret_sealed: string }) =>
  unseal(key, `webhook.${id}`, secret_sealed)

/** Returns the headers by which a receiver verifies the sender, the body and the time of a delivery. */
export function createSignedHeaders(secret: string, id: string, at: Date, body: string): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
