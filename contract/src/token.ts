import * as z from 'zod/mini'
import { Expiry, Id, Instant, Name, TokenScope } from './common.ts'
import { endpoint } from './endpoint.ts'

/** An API token, with which a script acts as its owner. The token itself is returned only once, on creation, and not stored. */
export const TokenRow = z.object({
  id: Id,
  name: z.string(),
  scope: TokenScope,
  created_at: Instant,
  /** Accurate to the minute; null if never used. */
  last_used_at: z.nullable(Instant),
  /** Null if it is valid until revoked. */
  expires_at: z.nullable(Instant),
})
export type TokenRow = z.infer<typeof TokenRow>

const rows = z.object({ data: z.array(TokenRow) })

export const token = {
  list: endpoint({
    method: 'GET',
    path: '/v1/token',
    access: 'staff',
    summary: 'List your own API tokens, newest first',
    reply: rows,
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/token',
    access: 'staff',
    isSensitive: true,
    summary:
      'Create an API token that acts as you: `read` lists and downloads, `write` also makes changes. The token is shown only once',
    body: z.strictObject({ name: Name, scope: TokenScope, expiresAt: z.optional(Expiry) }),
    reply: z.object({ data: z.extend(TokenRow, { token: z.string() }) }),
    errors: ['token.too_many'],
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/v1/token/{id}',
    access: 'staff',
    summary: 'Revoke one of your own API tokens. Its running uploads and downloads are aborted within seconds',
    params: z.strictObject({ id: Id }),
    reply: 'none',
    errors: ['token.not_found'],
  }),
  listOf: endpoint({
    method: 'GET',
    path: '/v1/admin/user/{id}/token',
    access: 'admin',
    summary: 'List the API tokens of a user, newest first',
    params: z.strictObject({ id: Id }),
    reply: rows,
    errors: ['user.not_found'],
  }),
  revokeOf: endpoint({
    method: 'DELETE',
    path: '/v1/admin/user/{id}/token/{token}',
    access: 'admin',
    summary: 'Revoke an API token of a user',
    params: z.strictObject({ id: Id, token: Id }),
    reply: 'none',
    errors: ['user.not_found', 'token.not_found'],
  }),
}
