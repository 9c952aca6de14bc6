import * as z from 'zod/mini'
import { Id } from './common.ts'

/** A provider, for the login page. */
export const SignInProvider = z.object({ id: Id, name: z.string() })
export type SignInProvider = z.infer<typeof SignInProvider>

/**
 * The outcome of a sign-in with a provider, in the query parameter `sso` of `/login`. If the sign-in was started with the parameter
 * `link=true`, it is a parameter of the page in `to` instead; with `fresh=true`, this applies to all outcomes except `link` and
 * `second-factor`. The outcomes `link` and `second-factor` continue with POST /v1/identity/provider/pending. The others are errors:
 * - `denied`: the person canceled.
 * - `expired`: it took too long, began in another browser or was already used. Without the cookie of the sign-in, `to` is unknown, so the
 *   outcome is always in a URL of `/login`.
 * - `rejected`: the reply of the provider is not authentic.
 * - `unreachable`: the provider doesn’t reply.
 * - `misconfigured`: the provider rejects the client, or its configuration is invalid.
 * - `unknown`: there is no such provider.
 * - `unverified`: the provider doesn’t confirm the email address.
 * - `no-access`: the person has no account here, or can’t sign in.
 * - `invitation`: the person must accept their invitation first.
 * - `too-many`: too many attempts.
 */
export const SsoOutcome = z.enum([
  'link',
  'second-factor',
  'denied',
  'expired',
  'rejected',
  'unreachable',
  'misconfigured',
  'unknown',
  'unverified',
  'no-access',
  'invitation',
  'too-many',
])
export type SsoOutcome = z.infer<typeof SsoOutcome>

/** What a sign-in with a provider waits for. */
export const PendingSignIn = z.object({
  /**
   * `link`: the person must agree that the account at the provider is connected to a user, with POST /v1/identity/provider/link.
   * `second_factor`: they must confirm the sign-in with their second factor.
   */
  kind: z.enum(['link', 'second_factor']),
  /** The local path to go to afterwards. */
  to: z.string(),
  /** With `link`: the provider, and the email address of the account there. */
  provider: z.optional(SignInProvider),
  email: z.optional(z.string()),
  /**
   * With `link`: what must happen before the account is connected. `consent`: it is connected to the user with the same email address.
   * `invitation`: the same for an invited user, which also accepts the invitation. `sign_in`: the user with the same email address must
   * sign in first, with a password or a passkey. `own`: it is connected to the signed-in user, who began this on the Account page.
   */
  needs: z.optional(z.enum(['consent', 'invitation', 'sign_in', 'own'])),
  /** With `second_factor`: what completes the sign-in, as in the error `session.second_factor`. */
  second_factor: z.optional(
    z.object({
      challenge: z.string(),
      methods: z.array(z.enum(['totp', 'passkey', 'recovery_code'])),
      trust_days: z.int(),
    }),
  ),
})
export type PendingSignIn = z.infer<typeof PendingSignIn>
