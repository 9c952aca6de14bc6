import * as z from 'zod/mini'
import { Email, emailMax, Flag, Id, Instant, Language, text } from './common.ts'
import { endpoint } from './endpoint.ts'
import { NewPassword, passwordMax } from './password.ts'
import { Session, SessionRow, sessionCookie } from './session.ts'
import { detailFields, requireOneDetail, User } from './user-rows.ts'

const Credentials = z.strictObject({
  email: text(emailMax),
  password: text(passwordMax),
  remember: z.optional(Flag),
})

const clearingHeaders = {
  'Set-Cookie': { summary: 'Removes the cookie _auth.' },
  'Clear-Site-Data': { summary: 'Tells the browser to clear its storage.' },
} as const

const signIn = {
  method: 'POST',
  access: 'public',
  body: Credentials,
  reply: Session,
  replyHeaders: sessionCookie,
  errors: ['session.wrong_credentials', 'session.second_factor', 'session.password_off', 'session.too_many_tries', 'server.busy'],
} as const

/** The token of a password reset or an invitation, from the link in the email. */
const EmailToken = text(100)

/** A link to choose a new password. */
export const PasswordLink = z.object({
  ends_at: Instant,
  /** For an admin to pass on. Only if no mail server is set up: otherwise only the user gets it. */
  url: z.optional(z.string()),
})
export type PasswordLink = z.infer<typeof PasswordLink>

const sessionRows = z.object({ data: z.array(SessionRow) })
const ofUser = { access: 'admin', params: z.strictObject({ id: Id }), errors: ['user.not_found'] } as const

export const identity = {
  login: endpoint({ ...signIn, path: '/v1/identity/login', summary: 'Sign in with email and password' }),
  userIdentity: endpoint({
    ...signIn,
    path: '/v1/user/identity',
    summary: 'Sign in with email and password (an alias of POST /v1/identity/login)',
  }),
  restore: endpoint({
    method: 'POST',
    path: '/v1/identity/session',
    access: 'public',
    summary:
      'Restore the session in a new tab from the _auth cookie. Requires the header X-Neptune: 1. Without a cookie, the reply is {}',
    headers: { 'X-Neptune': { summary: 'Must be 1. Protects against CSRF: other sites can’t send it.', pattern: '^1$' } },
    cookies: { _auth: { summary: 'The cookie that sign-in set.', optional: true } },
    reply: z.partial(Session),
    replyHeaders: { 'Set-Cookie': { ...sessionCookie['Set-Cookie'], optional: true } },
    errorHeaders: { 'Set-Cookie': { ...clearingHeaders['Set-Cookie'], optional: true } },
    errors: ['session.missing'],
  }),
  forgot: endpoint({
    method: 'POST',
    path: '/v1/identity/forgot',
    access: 'public',
    summary:
      'Request an email with a link to choose a new password. The reply is the same whether or not the address belongs to a user',
    body: z.strictObject({ email: Email }),
    reply: 'none',
    errors: ['session.password_off', 'session.too_many_tries'],
  }),
  checkReset: endpoint({
    method: 'POST',
    path: '/v1/identity/reset/check',
    access: 'public',
    summary: 'Get the email address that a password reset token belongs to. The token stays valid',
    body: z.strictObject({ token: EmailToken }),
    reply: z.object({ data: z.object({ email: z.string() }) }),
    errors: ['reset.not_found', 'session.password_off'],
  }),
  reset: endpoint({
    method: 'POST',
    path: '/v1/identity/reset',
    access: 'public',
    summary:
      'Choose a new password with a password reset token. The token works once. Ends all sessions of the user and revokes their API tokens',
    body: z.strictObject({ token: EmailToken, password: NewPassword }),
    reply: 'none',
    errors: ['reset.not_found', 'session.password_off', 'server.busy'],
  }),
  checkInvitation: endpoint({
    method: 'POST',
    path: '/v1/identity/invitation/check',
    access: 'public',
    summary: 'Get the name, email address and company of the invited user that a token belongs to. The token stays valid',
    body: z.strictObject({ token: EmailToken }),
    reply: z.object({ data: z.object({ name: z.string(), email: z.string(), company_name: z.string() }) }),
    errors: ['invitation.not_found', 'session.too_many_tries'],
  }),
  acceptInvitation: endpoint({
    method: 'POST',
    path: '/v1/identity/invitation',
    access: 'public',
    summary: 'Accept an invitation: choose a password and sign in. The token works once',
    body: z.strictObject({ token: EmailToken, password: NewPassword }),
    reply: Session,
    replyHeaders: sessionCookie,
    errors: ['invitation.not_found', 'session.password_off', 'session.too_many_tries', 'server.busy'],
  }),
  operatorLink: endpoint({
    method: 'POST',
    path: '/v1/identity/operator-link',
    access: 'public',
    summary: 'Sign in with a link that was created on the server with neptune sign-in-link. The token works once',
    body: z.strictObject({ token: text(100) }),
    reply: Session,
    replyHeaders: sessionCookie,
    errors: ['operator_link.not_found', 'session.second_factor'],
  }),
  current: endpoint({
    method: 'GET',
    path: '/v1/identity',
    access: 'staff',
    isForEnrollment: true,
    summary: 'Get the signed-in user',
    reply: z.object({ data: User }),
  }),
  signOut: endpoint({
    method: 'DELETE',
    path: '/v1/identity',
    access: 'staff',
    isForEnrollment: true,
    summary: 'Sign out: end this session in every tab',
    reply: 'none',
    replyHeaders: clearingHeaders,
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/v1/identity/details',
    access: 'staff',
    summary: 'Change your own name or email address. The old and the new address are notified; your sessions stay open',
    body: z
      .strictObject({
        ...detailFields,
        /** Required unless you have none or passwords are turned off. In these cases, you must have confirmed your identity recently. */
        password: z.optional(text(passwordMax)),
      })
      .check(requireOneDetail),
    reply: z.object({ data: User }),
    errors: [
      'session.unconfirmed',
      'session.wrong_credentials',
      'session.too_many_tries',
      'user.email_taken',
      'mail.too_many',
      'server.busy',
    ],
  }),
  changeLanguage: endpoint({
    method: 'PATCH',
    path: '/v1/identity/language',
    access: 'staff',
    isForEnrollment: true,
    summary: 'Choose the language of your screens and emails, or leave it to your browser and the organisation with null',
    body: z.strictObject({ language: z.nullable(Language) }),
    reply: z.object({ data: User }),
  }),
  changePassword: endpoint({
    method: 'PATCH',
    path: '/v1/identity/password',
    access: 'staff',
    summary:
      'Change your own password, or set the first one. Ends all of your sessions, revokes your API tokens and returns a new session',
    body: z.strictObject({
      /** Required unless you have none. In that case, you must have confirmed your identity recently. */
      oldPassword: z.optional(text(passwordMax)),
      newPassword: NewPassword,
    }),
    reply: Session,
    replyHeaders: sessionCookie,
    errors: ['session.unconfirmed', 'session.wrong_credentials', 'session.password_off', 'session.too_many_tries', 'server.busy'],
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/v1/identity/session',
    access: 'staff',
    summary: 'List your own sessions, newest first',
    reply: sessionRows,
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/v1/identity/session/{id}',
    access: 'staff',
    summary: 'End one of your own sessions',
    params: z.strictObject({ id: Id }),
    reply: 'none',
    errors: ['session.not_found'],
  }),
  endAllSessions: endpoint({
    method: 'DELETE',
    path: '/v1/identity/session',
    access: 'staff',
    summary: 'Sign out everywhere: end all of your sessions and revoke your API tokens',
    reply: 'none',
    replyHeaders: clearingHeaders,
  }),
  createReset: endpoint({
    method: 'POST',
    path: '/v1/admin/user/{id}/reset',
    access: 'admin',
    isSensitive: true,
    summary: 'Create a link with which a user can choose a new password, and email it to them. It works once, for an hour',
    params: z.strictObject({ id: Id }),
    reply: z.object({ data: PasswordLink }),
    errors: [
      'user.not_found',
      'user.own_role',
      'user.invited',
      'user.suspended',
      'company.archived',
      'session.password_off',
      'mail.too_many',
    ],
  }),
  sessionsOf: endpoint({
    ...ofUser,
    method: 'GET',
    path: '/v1/admin/user/{id}/session',
    summary: 'List the sessions of a user, newest first',
    reply: sessionRows,
  }),
  endSessionOf: endpoint({
    method: 'DELETE',
    path: '/v1/admin/user/{id}/session/{session}',
    access: 'admin',
    summary: 'End a session of a user',
    params: z.strictObject({ id: Id, session: Id }),
    reply: 'none',
    errors: ['user.not_found', 'session.not_found'],
  }),
  endAllSessionsOf: endpoint({
    ...ofUser,
    method: 'DELETE',
    path: '/v1/admin/user/{id}/session',
    summary: 'Sign a user out everywhere: end all of their sessions and revoke their API tokens',
    reply: 'none',
  }),
}
