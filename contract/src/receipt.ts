import * as z from 'zod/mini'
import { Email, Id, Instant } from './common.ts'
import { endpoint } from './endpoint.ts'
import { MailWay } from './mail.ts'

/** What the server says it has received, to whoever brought it. */
export const Receipt = z.object({
  /** How this is written; 1 so far. */
  version: z.literal(1),
  id: z.string(),
  issued_at: Instant,
  /** The address of the portal that received it. */
  server: z.string(),
  /** Who took it in: whoever answered for the link when this was issued, and their company. The first receipts did not say. */
  received_by: z.optional(z.object({ name: z.string(), company: z.string() })),
  /** The company it was for. */
  company: z.string(),
  /** The link it came by: its key, and the directory's name. */
  link: z.object({ key: z.string(), name: z.string() }),
  files: z.array(z.object({ name: z.string(), size: z.number(), sha256: z.string(), received_at: Instant })),
  total_files: z.number(),
  total_bytes: z.number(),
})
export type Receipt = z.infer<typeof Receipt>

/** `signature` is Ed25519 over `canonicalJson(receipt)` in UTF-8, base64url, by the key of that id at /.well-known/neptune-key.json. */
export const SignedReceipt = z.object({ receipt: Receipt, key: z.string(), signature: z.string() })
export type SignedReceipt = z.infer<typeof SignedReceipt>

/** The public keys of a portal, as a JSON Web Key Set (RFC 7517). */
export const PublicKeys = z.object({
  keys: z.array(
    z.object({
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      use: z.literal('sig'),
      alg: z.literal('EdDSA'),
      kid: z.string(),
      /** The 32 bytes of the key, base64url. */
      x: z.string(),
    }),
  ),
})
export type PublicKeys = z.infer<typeof PublicKeys>

/** JSON in the one way both sides write it (RFC 8785, of what receipts hold): keys in order, no spaces. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`
}

const byId = z.strictObject({ id: Id })
const one = z.object({ data: SignedReceipt })

export const receipt = {
  issue: endpoint({
    method: 'POST',
    path: '/v1/receipt',
    access: 'link',
    summary:
      'A signed receipt for files that were uploaded in this visit: these, or all of them. Asked twice for the same, it is the same',
    body: z.strictObject({ files: z.optional(z.array(Id).check(z.minLength(1), z.maxLength(10_000))) }),
    reply: one,
    errors: ['file.not_found', 'link.too_many_tries'],
  }),
  read: endpoint({
    method: 'GET',
    path: '/v1/receipt/{id}',
    access: 'public',
    summary: 'Read a receipt. Its id is known to those who were given it, and cannot be guessed',
    params: byId,
    reply: one,
    errors: ['receipt.not_found'],
  }),
  send: endpoint({
    method: 'POST',
    path: '/v1/receipt/{id}/email',
    access: 'link',
    summary: 'Send a receipt of this link to an address by mail',
    params: byId,
    body: z.strictObject({ email: Email }),
    reply: z.object({ way: MailWay }),
    errors: ['receipt.not_found', 'mail.too_many'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/v1/link/{key}/receipt',
    access: 'staff',
    token: 'read',
    summary: "A link's receipts, the newest first",
    params: z.strictObject({ key: Id }),
    reply: z.object({
      data: z.array(
        z.object({
          id: z.string(),
          issued_at: Instant,
          total_files: z.number(),
          total_bytes: z.number(),
          client: z.nullable(z.string()),
        }),
      ),
    }),
    errors: ['link.not_found'],
  }),
}
