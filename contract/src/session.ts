import * as z from 'zod/mini'
import { Id, Instant } from './common.ts'
import { User } from './user-rows.ts'

/** A session. The sign-in and restore calls return it at the top level, not under `data`. */
export const Session = z.object({
  token: z.string(),
  type: z.literal('Bearer'),
  expiresAt: Instant,
  info: User,
})
export type Session = z.infer<typeof Session>

/** How someone signed in. `operator`: with a link that an operator created on the server. */
export const SignInMethod = z.enum(['password', 'passkey', 'provider', 'invitation', 'operator'])
export type SignInMethod = z.infer<typeof SignInMethod>

/** The second factor. `trusted_browser`: not needed, because the user trusts the browser. `provider`: the provider checked one. */
export const SecondFactor = z.enum(['totp', 'recovery_code', 'passkey', 'trusted_browser', 'provider'])
export type SecondFactor = z.infer<typeof SecondFactor>

/** A session, as its user and admins see it. */
export const SessionRow = z.object({
  id: Id,
  created_at: Instant,
  last_seen_at: Instant,
  /** The IP address and the User-Agent of the sign-in. */
  client: z.string(),
  agent: z.string(),
  /** Null for a session that began before Neptune stored it. */
  method: z.nullable(SignInMethod),
  second_factor: z.nullable(SecondFactor),
  /** Whether the user had never signed in with this browser before. */
  is_new_browser: z.boolean(),
  /** Whether this is the session of the request. */
  current: z.boolean(),
})
export type SessionRow = z.infer<typeof SessionRow>

/** The cookie that restores the session in new tabs. */
export const sessionCookie = { 'Set-Cookie': { summary: 'The cookie _auth, for POST /v1/identity/session.' } } as const
