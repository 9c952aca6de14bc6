import * as z from 'zod/mini'
import { Email, Id, Instant, listQuery, listReply } from './common.ts'
import { endpoint } from './endpoint.ts'

/**
 * `waiting`: the next attempt is running, or starts at `next_at`. `sending`: handed over to the mail server, which has not replied yet.
 * `sent`: accepted by the mail server. `saved`: written to a file in the outbox folder, because no mail server was set up. `failed`: there
 * are no more attempts. `unconfirmed`: the connection was lost before the mail server confirmed. The message may have arrived, so it is
 * never resent automatically.
 */
export const MailState = z.enum(
  ['waiting', 'sending', 'sent', 'saved', 'failed', 'unconfirmed'],
  'This must be waiting, sending, sent, saved, failed or unconfirmed.',
)
export type MailState = z.infer<typeof MailState>

/** A message in the outbox, without its text, which may contain secrets. */
export const MailRow = z.object({
  id: Id,
  /** The type of the email. */
  letter: z.enum([
    'test',
    'invitation',
    'password_reset',
    'password_changed',
    'email_changed',
    'new_sign_in',
    'factor_changed',
    'factor_reset',
    'link_details',
    'link_address',
    'link_uploads',
    'link_downloaded',
    'link_asked',
    'link_extended',
    'links_handed_over',
    'receipt',
    'quota_warning',
  ]),
  to: z.string(),
  state: MailState,
  created_at: Instant,
  tries: z.number(),
  /** The time of the next attempt, if any. */
  next_at: z.nullable(Instant),
  sent_at: z.nullable(Instant),
  /** Whether an admin can send it again. */
  can_repeat: z.boolean(),
  /** The error of the last attempt, or why the message is held back. */
  problem: z.nullable(z.string()),
})
export type MailRow = z.infer<typeof MailRow>

const row = z.object({ data: MailRow })

/** How messages are sent: to the mail server, or to files in the outbox folder if none is configured. */
export const MailWay = z.enum(['smtp', 'files'])
export type MailWay = z.infer<typeof MailWay>

export const mail = {
  way: endpoint({
    method: 'GET',
    path: '/v1/mail/way',
    access: 'public',
    token: 'read',
    summary: 'Get how emails are sent: by a mail server, or not at all, only saved as files on the server',
    reply: z.object({ data: z.object({ way: MailWay }) }),
  }),
  list: endpoint({
    method: 'GET',
    path: '/v1/admin/mail',
    access: 'admin',
    summary: 'List the emails of the last 90 days with their state, newest first',
    query: z.object({ state: z.optional(MailState), ...listQuery(['created_at']) }),
    reply: z.extend(listReply(MailRow), {
      way: MailWay,
    }),
    errors: ['server.busy'],
  }),
  test: endpoint({
    method: 'POST',
    path: '/v1/admin/mail/test',
    access: 'admin',
    summary: 'Send a test email',
    body: z.strictObject({ to: Email }),
    reply: row,
    errors: ['mail.too_many'],
  }),
  again: endpoint({
    method: 'POST',
    path: '/v1/admin/mail/{id}/again',
    access: 'admin',
    summary: 'Send a failed or unconfirmed email again',
    params: z.strictObject({ id: Id }),
    reply: row,
    errors: ['mail.not_found', 'mail.not_repeatable', 'mail.too_many'],
  }),
}
