import * as z from 'zod/mini'
import { Flag, Id, Instant, text } from './common.ts'
import { endpoint } from './endpoint.ts'
import { passwordMax } from './password.ts'
import { Session, sessionCookie } from './session.ts'

/** A six-digit code from an authenticator app, or a recovery code. Spaces and hyphens in it are ignored. */
const Code = text(40)

/** How a user signs in, apart from passkeys and accounts at providers. */
export const Factors = z.object({
  /** `none`: they have none, because they sign in with a provider. `off`: the organisation has turned off passwords. */
  password: z.enum(['set', 'none', 'off']),
  /** When the authenticator app was set up. Null without one. */
  totp_since: z.nullable(Instant),
  /** Whether signing in needs an app, a passkey or a recovery code in addition to the password. */
  has_second_factor: z.boolean(),
  /** How many recovery codes are left. */
  recovery_codes: z.int(),
  /** Whether the user needs a second factor, because the organisation requires it; and from which day on, if that is in the future. */
  is_required: z.boolean(),
  required_from: z.nullable(z.string()),
  /** How many browsers they trust. There, they need only the password. */
  trusted_browsers: z.int(),
  /** For how many days a browser can be trusted. Zero if browsers can’t be trusted. */
  trust_days: z.int(),
})
export type Factors = z.infer<typeof Factors>

/** Ten codes, each of which replaces a second factor once. They are shown only once. */
const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

/** The token from the email about the removal of second factors. */
const ResetToken = text(100)

const own = { access: 'staff', isForEnrollment: true } as const

export const factor = {
  signIn: endpoint({
    method: 'POST',
    path: '/v1/identity/second-factor',
    access: 'public',
    summary: 'Complete a sign-in with a code from an authenticator app, or with a recovery code',
    body: z.strictObject({
      /** From the error `session.second_factor`. */
      challenge: text(100),
      code: Code,
      /** Whether this browser needs only the password from now on, for as long as the settings allow. */
      trust: z.optional(Flag),
    }),
    reply: Session,
    replyHeaders: sessionCookie,
    errors: ['session.challenge_ended', 'session.wrong_code', 'session.too_many_tries'],
  }),
  confirm: endpoint({
    ...own,
    method: 'POST',
    path: '/v1/identity/confirm',
    summary:
      'Confirm your identity with your password or a code from your authenticator app. Sensitive calls require this every 15 minutes',
    body: z
      .strictObject({ password: z.optional(text(passwordMax)), code: z.optional(Code) })
      .check(z.refine(({ password, code }) => (password === undefined) !== (code === undefined), 'Send a password or a code.')),
    reply: 'none',
    errors: ['session.wrong_credentials', 'session.wrong_code', 'session.too_many_tries', 'server.busy'],
  }),
  list: endpoint({
    ...own,
    method: 'GET',
    path: '/v1/identity/factor',
    summary: 'Get your own second factors, and whether you have a password',
    reply: z.object({ data: Factors }),
  }),
  startTotp: endpoint({
    ...own,
    isSensitive: true,
    method: 'POST',
    path: '/v1/identity/totp',
    summary: 'Start setting up an authenticator app. It takes effect once you confirm it with a code',
    reply: z.object({
      data: z.object({
        /** In base32, to type into the app. */
        secret: z.string(),
        /** The secret as an otpauth URI, for a QR code. */
        uri: z.string(),
      }),
    }),
    errors: ['factor.exists'],
  }),
  confirmTotp: endpoint({
    ...own,
    isSensitive: true,
    method: 'POST',
    path: '/v1/identity/totp/confirm',
    summary: 'Confirm an authenticator app with a code. Returns recovery codes if this is your first second factor',
    body: z.strictObject({ code: Code }),
    reply: z.object({ data: z.partial(RecoveryCodes) }),
    errors: ['factor.not_started', 'session.wrong_code', 'session.too_many_tries'],
  }),
  removeTotp: endpoint({
    ...own,
    isSensitive: true,
    method: 'DELETE',
    path: '/v1/identity/totp',
    summary: 'Remove your authenticator app',
    reply: 'none',
    errors: ['factor.missing', 'factor.required'],
  }),
  renewCodes: endpoint({
    ...own,
    isSensitive: true,
    method: 'POST',
    path: '/v1/identity/recovery-code',
    summary: 'Get ten new recovery codes. The previous ones stop working',
    reply: z.object({ data: RecoveryCodes }),
    errors: ['factor.missing'],
  }),
  forgetBrowsers: endpoint({
    ...own,
    method: 'DELETE',
    path: '/v1/identity/trusted-browser',
    summary: 'Require a second factor in every browser again',
    reply: 'none',
  }),
  requestReset: endpoint({
    method: 'POST',
    path: '/v1/admin/user/{id}/factor-reset',
    access: 'admin',
    isSensitive: true,
    summary:
      'Remove the second factors of a user who has lost them. Takes effect when the user agrees by email, or after a delay',
    params: z.strictObject({ id: Id }),
    reply: z.object({ data: z.object({ due_at: Instant }) }),
    errors: ['user.not_found', 'user.own_role', 'factor.missing', 'mail.too_many'],
  }),
  cancelReset: endpoint({
    method: 'DELETE',
    path: '/v1/admin/user/{id}/factor-reset',
    access: 'admin',
    summary: 'Cancel the removal of the second factors of a user',
    params: z.strictObject({ id: Id }),
    reply: 'none',
    errors: ['user.not_found', 'factor.missing'],
  }),
  checkReset: endpoint({
    method: 'POST',
    path: '/v1/identity/factor-reset/check',
    access: 'public',
    summary:
      'Get the email address of the user whose second factors would be removed, and when that takes effect. The token stays valid',
    body: z.strictObject({ token: ResetToken }),
    reply: z.object({ data: z.object({ email: z.string(), due_at: Instant }) }),
    errors: ['factor.reset_not_found'],
  }),
  answerReset: endpoint({
    method: 'POST',
    path: '/v1/identity/factor-reset',
    access: 'public',
    summary: 'Agree to the removal of your second factors, which then takes effect at once, or cancel it',
    body: z.strictObject({ token: ResetToken, agree: Flag }),
    reply: 'none',
    errors: ['factor.reset_not_found'],
  }),
}
