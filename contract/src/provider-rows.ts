import * as z from 'zod/mini'
import { Id, Instant } from './common.ts'
import { ProviderRules } from './provider-fields.ts'

/** A provider, for the login page. */
export const SignInProvider = z.object({ id: Id, name: z.string() })
export type SignInProvider = z.infer<typeof SignInProvider>

/** A provider, for admins. */
export const ProviderRow = z.object({
  id: Id,
  name: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  /** `hiddenPassword` if there is one. */
  client_secret: z.nullable(z.string()),
  rules: ProviderRules,
  version: z.int(),
  /** When it was disabled, so that nobody can sign in with it. Null while it is enabled. */
  disabled_at: z.nullable(Instant),
  /** The environment variable that sets the provider, which then can’t be changed. Null for providers in the database. */
  locked: z.nullable(z.string()),
  /** When someone last signed in with it. Null if nobody has. */
  last_used_at: z.nullable(Instant),
  /** Where the provider sends logout tokens (back-channel logout). */
  logout_uri: z.string(),
})
export type ProviderRow = z.infer<typeof ProviderRow>

/** The URIs to register at every provider. */
export const ProviderUris = z.object({ redirect_uri: z.string(), post_logout_redirect_uri: z.string() })

/** What a test of a provider can find. Warnings don’t prevent anyone from signing in. */
export const ProviderFault = z.enum([
  'unreachable',
  'timeout',
  'not_found',
  'not_discovery',
  'wrong_issuer',
  'insecure',
  'no_code_flow',
  'no_pkce',
  'no_scopes',
  'no_keys',
  'wrong_client',
  'clock',
])
export type ProviderFault = z.infer<typeof ProviderFault>

export const ProviderTest = z.object({
  /** Empty if the test found nothing wrong. */
  findings: z.array(
    z.object({
      code: ProviderFault,
      level: z.enum(['error', 'warning']),
      /** What exactly is wrong, in English, such as the issuer that the provider names. */
      detail: z.string(),
    }),
  ),
  /** What the provider supports. Null if its configuration could not be read. */
  supports: z.nullable(
    z.object({
      back_channel_logout: z.boolean(),
      logout: z.boolean(),
      issuer_parameter: z.boolean(),
      claims: z.array(z.string()),
    }),
  ),
})
export type ProviderTest = z.infer<typeof ProviderTest>

/** An account at a provider, connected to a user who can sign in with it. */
export const ProviderAccount = z.object({
  id: Id,
  /** Null if the provider was deleted or disabled. */
  provider: z.nullable(SignInProvider),
  issuer: z.string(),
  /** As the provider last sent it. It may differ from the email address of the user. */
  email: z.string(),
  created_at: Instant,
  last_used_at: z.nullable(Instant),
})
export type ProviderAccount = z.infer<typeof ProviderAccount>

/**
 * The outcome of a sign-in with a provider, as `/login?sso=…`. With `link` or `fresh`, the person is signed in, so it is on the page in `to`
 * instead. `link` and `second-factor` continue with POST /v1/identity/provider/pending. The others are errors:
 * `denied`: the person canceled; `expired`: it took too long, began in another browser or was already used; `rejected`: the reply of
 * the provider is not authentic; `unreachable`: the provider doesn’t reply; `misconfigured`: the provider rejects the client, or its configuration is invalid;
 * `unknown`: there is no such provider; `unverified`: the provider doesn’t confirm the email address; `no-access`: the person has no
 * account here, or can’t sign in; `invitation`: the person must accept their invitation first; `too-many`: too many attempts.
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
   * With `link`, what it needs. `consent`: it is connected to the user with the same email address. `invitation`: the same for an invited
   * user, which also accepts the invitation. `sign_in`: the user with the same email address must sign in first, with a password or a
   * passkey. `own`: it is connected to the signed-in user, who began this on the page Account.
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
