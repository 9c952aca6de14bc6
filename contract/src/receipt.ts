import * as z from 'zod/mini'
import { Email, Id, Instant, Language } from './common.ts'
import { endpoint } from './endpoint.ts'
import { MailWay } from './mail.ts'

/** Confirms to a recipient which files the server has received. */
export const Receipt = z.object({
  /** The version of the format. */
  version: z.literal(1),
  id: z.string(),
  issued_at: Instant,
  /** The URL of the portal that received the files. */
  server: z.string(),
  /** The owner of the link when the receipt was issued, and their company. Missing in the oldest receipts. */
  received_by: z.optional(z.object({ name: z.string(), company: z.string() })),
  /** The company that the files are for. */
  company: z.string(),
  /** The key of the link, and the name of its directory. */
  link: z.object({ key: z.string(), name: z.string() }),
  files: z.array(z.object({ name: z.string(), size: z.number(), sha256: z.string(), received_at: Instant })),
  total_files: z.number(),
  total_bytes: z.number(),
})
export type Receipt = z.infer<typeof Receipt>

/**
 * `signature` is the Ed25519 signature of `canonicalJson(receipt)` in UTF-8, as base64url. `key` is the id of the key, which is
 * published at /.well-known/neptune-key.json.
 */
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

/** Returns canonical JSON, with sorted keys and no spaces (the subset of RFC 8785 that receipts need). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`
}

const byId = z.strictObject({ id: Id })
const signedReceipt = z.object({ data: SignedReceipt })

export const receipt = {
  issue: endpoint({
    method: 'POST',
    path: '/v1/receipt',
    access: 'link',
    summary:
      'Issue a signed receipt for files uploaded in this visit: all of them, or only those given. Repeated requests for the same files return the same receipt',
    body: z.strictObject({ files: z.optional(z.array(Id).check(z.minLength(1), z.maxLength(10_000))) }),
    reply: signedReceipt,
    errors: ['file.not_found', 'link.too_many_tries'],
  }),
  read: endpoint({
    method: 'GET',
    path: '/v1/receipt/{id}',
    access: 'public',
    summary: 'Get a receipt. Its id can’t be guessed, so only people who were given it can read it',
    params: byId,
    reply: signedReceipt,
    errors: ['receipt.not_found'],
  }),
  send: endpoint({
    method: 'POST',
    path: '/v1/receipt/{id}/email',
    access: 'link',
    summary: 'Send a receipt of this link by email',
    params: byId,
    body: z.strictObject({
      email: Email,
      /** The language of the email. If a user with this address chose a language, that one is used instead. Default: the organisation’s. */
      language: z.optional(Language),
    }),
    reply: z.object({ way: MailWay }),
    errors: ['receipt.not_found', 'mail.too_many'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/v1/link/{key}/receipt',
    access: 'staff',
    token: 'read',
    summary: 'List the receipts of a link, newest first',
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
