import * as z from 'zod/mini'
import { Id } from './common.ts'
import { endpoint } from './endpoint.ts'
import { Session, sessionCookie } from './session.ts'
import { PendingSignIn, SignInProvider } from './sso-rows.ts'

const ownScript = {
  'X-Neptune': { summary: 'Must be 1. Protects against CSRF: other sites can’t send it.', pattern: '^1$' },
} as const
const pendingCookie = { _sso: { summary: 'The cookie that the sign-in with a provider has set.', optional: true } } as const
const flowCookie = { _sso_flow: { summary: 'The cookie that the start of the sign-in has set.', optional: true } } as const
const redirect = {
  Location: { summary: 'The page to continue with.' },
  'Set-Cookie': { summary: 'The cookies of this sign-in.', optional: true },
} as const

const byId = { params: z.strictObject({ id: Id }) }

/** A path of this portal to go to after the sign-in. Anything else is ignored. */
const Target = z.optional(z.string().check(z.maxLength(2000)))
const QueryFlag = z.optional(z.enum(['true', 'false'], 'This must be true or false.'))

/** Signing in with a provider. Separate from the other calls about providers, so that the sign-in page loads only these. */
export const sso = {
  signInOptions: endpoint({
    method: 'GET',
    path: '/v1/identity/provider',
    access: 'public',
    summary: 'List the ways to sign in: the providers, and whether passwords are turned on',
    reply: z.object({ data: z.object({ providers: z.array(SignInProvider), password: z.boolean() }) }),
  }),
  start: endpoint({
    ...byId,
    method: 'GET',
    path: '/v1/identity/provider/{id}/start',
    access: 'public',
    summary:
      'Start a sign-in with a provider: redirects the browser there. Errors redirect to /login?sso=CODE or, with link or fresh, to the page where it began',
    query: z.object({
      remember: QueryFlag,
      to: Target,
      /** `true` connects the account at the provider to the user of the cookie `_auth`: see POST /v1/identity/provider/link. */
      link: QueryFlag,
      /** `true` makes the provider ask the person to sign in again, even if they are signed in there: to confirm sensitive calls. */
      fresh: QueryFlag,
    }),
    cookies: { _auth: { summary: 'The cookie that sign-in set. Needed with link only.', optional: true } },
    reply: 'redirect',
    replyHeaders: redirect,
  }),
  callback: endpoint({
    method: 'GET',
    path: '/v1/identity/provider/callback',
    access: 'public',
    summary:
      'Complete a sign-in with a provider, which redirects the browser here. Sets the cookie _auth and redirects to the app, or to /login?sso=CODE',
    query: z.object({
      code: z.optional(z.string()),
      state: z.optional(z.string()),
      iss: z.optional(z.string()),
      error: z.optional(z.string()),
    }),
    cookies: flowCookie,
    reply: 'redirect',
    replyHeaders: redirect,
  }),
  pending: endpoint({
    method: 'POST',
    path: '/v1/identity/provider/pending',
    access: 'public',
    summary:
      'Get what a sign-in with a provider waits for: the consent of the person, or a second factor. Null if there is no such sign-in',
    headers: ownScript,
    cookies: pendingCookie,
    reply: z.object({ data: z.nullable(PendingSignIn) }),
    errors: ['session.missing'],
  }),
  link: endpoint({
    method: 'POST',
    path: '/v1/identity/provider/link',
    access: 'public',
    identifiesCaller: true,
    summary:
      'Agree to connect the account at the provider, and sign in. If the caller is already signed in, the account is connected to them, and the reply is {}',
    headers: ownScript,
    cookies: pendingCookie,
    reply: z.partial(Session),
    replyHeaders: { 'Set-Cookie': sessionCookie['Set-Cookie'] },
    errors: [
      'session.missing',
      'session.challenge_ended',
      'session.second_factor',
      'session.unconfirmed',
      'provider.other_user',
      'provider.account_taken',
    ],
  }),
  logoutUrl: endpoint({
    method: 'GET',
    path: '/v1/identity/provider/logout',
    access: 'staff',
    isForEnrollment: true,
    summary:
      'Get the address at which the provider of this session signs the person out, to open after DELETE /v1/identity. Null if there is none',
    reply: z.object({ data: z.object({ url: z.nullable(z.string()) }) }),
  }),
  backChannelLogout: endpoint({
    ...byId,
    method: 'POST',
    path: '/v1/identity/provider/{id}/logout',
    access: 'public',
    summary: 'End sessions for a provider, which sends a logout token (OpenID Connect Back-Channel Logout)',
    body: 'form',
    reply: 'none',
    errors: ['provider.logout_invalid', 'session.too_many_tries'],
  }),
}
