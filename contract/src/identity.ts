import * as z from 'zod/mini'
import { Email, emailMax, Flag, Id, Instant, text } from './common.ts'
import { endpoint } from './endpoint.ts'
import { NewPassword, passwordMax } from './password.ts'
import { changesDetails, details, User } from './user.ts'

/** A signed-in session, as the two sign-in calls and the restore call answer it: at the top level, not under `data`. */
export const Session = z.object({
  token: z.string(),
  type: z.literal('Bearer'),
  expiresAt: Instant,
  info: User,
})
export type Session = z.infer<typeof Session>

const Credentials = z.strictObject({
  email: text(emailMax),
  password: text(passwordMax),
  remember: z.optional(Flag),
})

/** The cookie that restores the session in new tabs. */
const cookie = { 'Set-Cookie': { summary: 'The cookie _auth, which POST /v1/identity/session takes.' } } as const
const clearingHeaders = {
  'Set-Cookie': { summary: 'Removes the cookie _auth.' },
  'Clear-Site-Data': { summary: 'Tells the browser to clear its storage.' },
} as const

const signIn = {
  method: 'POST',
  access: 'public',
  body: Credentials,
  reply: Session,
  replyHeaders: cookie,
  errors: ['session.wrong_credentials', 'session.too_many_tries', 'server.busy'],
} as const

const ResetToken = text(100)

/** One sign-in on one browser, as its owner sees it. */
const SessionRow = z.object({
  id: Id,
  created_at: Instant,
  last_seen_at: Instant,
  /** Where it was signed in from, and with what. */
  client: z.string(),
  agent: z.string(),
  /** The one that asks. */
  current: z.boolean(),
})

export const identity = {
  login: endpoint({ ...signIn, path: '/v1/identity/login', summary: 'Sign in with e-mail and password' }),
  userIdentity: endpoint({
    ...signIn,
    path: '/v1/user/identity',
    summary: 'Sign in with e-mail and password (the same call under its other name)',
  }),
  restore: endpoint({
    method: 'POST',
    path: '/v1/identity/session',
    access: 'public',
    summary:
      'Give a new tab its session back. Takes the _auth cookie and the header X-Neptune: 1; without the cookie nobody is signed in, and the answer is {}',
    headers: { 'X-Neptune': { summary: 'Must be 1: pages of other sites cannot send it.', pattern: '^1$' } },
    cookies: { _auth: { summary: 'The cookie that sign-in set.', optional: true } },
    reply: z.partial(Session),
    replyHeaders: { 'Set-Cookie': { ...cookie['Set-Cookie'], optional: true } },
    errorHeaders: { 'Set-Cookie': { ...clearingHeaders['Set-Cookie'], optional: true } },
    errors: ['session.missing'],
  }),
  forgot: endpoint({
    method: 'POST',
    path: '/v1/identity/forgot',
    access: 'public',
    summary: 'Ask for a mail that lets one choose a new password. The answer is the same whoever has the address, or nobody',
    body: z.strictObject({ email: Email }),
    reply: 'none',
    errors: ['session.too_many_tries'],
  }),
  checkReset: endpoint({
    method: 'POST',
    path: '/v1/identity/reset/check',
    access: 'public',
    summary: 'Whose password the token of such a mail is for. It stays usable',
    body: z.strictObject({ token: ResetToken }),
    reply: z.object({ data: z.object({ email: z.string() }) }),
    errors: ['reset.not_found'],
  }),
  reset: endpoint({
    method: 'POST',
    path: '/v1/identity/reset',
    access: 'public',
    summary: 'Choose a new password with the token of such a mail. It works once; every session ends',
    body: z.strictObject({ token: ResetToken, password: NewPassword }),
    reply: 'none',
    errors: ['reset.not_found', 'server.busy'],
  }),
  current: endpoint({
    method: 'GET',
    path: '/v1/identity',
    access: 'staff',
    summary: 'Who the token belongs to',
    reply: z.object({ data: User }),
  }),
  signOut: endpoint({
    method: 'DELETE',
    path: '/v1/identity',
    access: 'staff',
    summary: 'Sign out: ends this session in every tab',
    reply: 'none',
    replyHeaders: clearingHeaders,
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/v1/identity/details',
    access: 'staff',
    summary: 'Change one’s own name or e-mail address. Both addresses are told; one’s sessions go on',
    body: z.strictObject({ ...details, password: text(passwordMax) }).check(changesDetails),
    reply: z.object({ data: User }),
    errors: ['session.wrong_credentials', 'session.too_many_tries', 'user.email_taken', 'mail.too_many', 'server.busy'],
  }),
  changePassword: endpoint({
    method: 'PATCH',
    path: '/v1/identity/password',
    access: 'staff',
    summary: 'Change one’s own password. Ends every session and answers with a new one',
    body: z.strictObject({ oldPassword: text(passwordMax), newPassword: NewPassword }),
    reply: Session,
    replyHeaders: cookie,
    errors: ['session.wrong_credentials', 'session.too_many_tries', 'server.busy'],
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/v1/identity/session',
    access: 'staff',
    summary: 'List one’s own sessions, the newest first',
    reply: z.object({ data: z.array(SessionRow) }),
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/v1/identity/session/{id}',
    access: 'staff',
    summary: 'End one of one’s own sessions',
    params: z.strictObject({ id: Id }),
    reply: 'none',
    errors: ['session.not_found'],
  }),
  endAllSessions: endpoint({
    method: 'DELETE',
    path: '/v1/identity/session',
    access: 'staff',
    summary: 'Sign out everywhere: ends every session one has',
    reply: 'none',
    replyHeaders: clearingHeaders,
  }),
}
