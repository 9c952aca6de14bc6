import * as z from 'zod/mini'
import { Expiry, Id, Instant, Name, TokenScope } from './common.ts'
import { endpoint } from './endpoint.ts'

/** An API token, by which a script acts as its owner. The token itself is told once, when it is made, and kept nowhere. */
export const TokenRow = z.object({
  id: Id,
  name: z.string(),
  scope: TokenScope,
  created_at: Instant,
  /** To the minute; null when it never was. */
  last_used_at: z.nullable(Instant),
  /** Null when it is good until it is revoked. */
  expires_at: z.nullable(Instant),
})
export type TokenRow = z.infer<typeof TokenRow>

const rows = z.object({ data: z.array(TokenRow) })

export const token = {
  list: endpoint({
    method: 'GET',
    path: '/v1/token',
    access: 'staff',
    summary: 'One’s own API tokens, the newest first',
    reply: rows,
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/token',
    access: 'staff',
    summary:
      'Make an API token, which acts as whoever made it: `read` lists and downloads, `write` also changes. It is told once',
    body: z.strictObject({ name: Name, scope: TokenScope, expiresAt: z.optional(Expiry) }),
    reply: z.object({ data: z.extend(TokenRow, { token: z.string() }) }),
    errors: ['token.too_many'],
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/v1/token/{id}',
    access: 'staff',
    summary: 'Revoke one’s own API token. Whatever it does at that moment ends',
    params: z.strictObject({ id: Id }),
    reply: 'none',
    errors: ['token.not_found'],
  }),
  listOf: endpoint({
    method: 'GET',
    path: '/v1/admin/user/{id}/token',
    access: 'admin',
    summary: 'Somebody’s API tokens, the newest first',
    params: z.strictObject({ id: Id }),
    reply: rows,
    errors: ['user.not_found'],
  }),
  revokeOf: endpoint({
    method: 'DELETE',
    path: '/v1/admin/user/{id}/token/{token}',
    access: 'admin',
    summary: 'Revoke somebody’s API token',
    params: z.strictObject({ id: Id, token: Id }),
    reply: 'none',
    errors: ['user.not_found', 'token.not_found'],
  }),
}
