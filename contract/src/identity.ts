import * as z from 'zod/mini'
import { emailMax, Flag, Id, Instant, text } from './common.ts'
import { endpoint } from './endpoint.ts'
import { NewPassword, passwordMax } from './password.ts'
import { User } from './user.ts'

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

const signIn = {
  method: 'POST',
  access: 'public',
  body: Credentials,
  reply: Session,
  errors: ['session.wrong_credentials', 'session.too_many_tries', 'server.busy'],
} as const

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
    summary: 'Give a new tab its session back. Takes the _auth cookie and the header X-Neptune: 1',
    reply: Session,
    errors: ['session.missing'],
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
  }),
  changePassword: endpoint({
    method: 'PATCH',
    path: '/v1/identity/password',
    access: 'staff',
    summary: 'Change one’s own password. Ends every session and answers with a new one',
    body: z.strictObject({ oldPassword: text(passwordMax), newPassword: NewPassword }),
    reply: Session,
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
  }),
}
