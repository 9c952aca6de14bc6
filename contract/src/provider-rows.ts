import * as z from 'zod/mini'
import { Id, Instant } from './common.ts'
import { ProviderRules } from './provider-fields.ts'
import { SignInProvider } from './sso-rows.ts'

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
