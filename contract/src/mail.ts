import * as z from 'zod/mini'
import { Email, Id, Instant, listQuery, listReply } from './common.ts'
import { endpoint } from './endpoint.ts'

/**
 * `waiting` will be tried (again) at `next_at`, `sending` is with the mail server now, `sent` was taken by it, `failed` was refused
 * for good. `unconfirmed` was handed over and then the line went dead: it may have arrived, so it is never sent again by itself.
 */
export const MailState = z.enum(
  ['waiting', 'sending', 'sent', 'failed', 'unconfirmed'],
  'This must be waiting, sending, sent, failed or unconfirmed.',
)
export type MailState = z.infer<typeof MailState>

/** One letter on its way out, without its text: that may hold what opens something. */
export const MailRow = z.object({
  id: Id,
  letter: z.enum([
    'test',
    'password_reset',
    'password_changed',
    'email_changed',
    'link_details',
    'link_address',
    'link_uploads',
    'link_downloaded',
    'link_asked',
    'link_extended',
    'receipt',
  ]),
  to: z.string(),
  state: MailState,
  created_at: Instant,
  tries: z.number(),
  /** When it is tried next; null when it is not. */
  next_at: z.nullable(Instant),
  sent_at: z.nullable(Instant),
  /** Whether an admin may have it sent again. */
  can_repeat: z.boolean(),
  /** What went wrong at the last try, in words. */
  problem: z.nullable(z.string()),
})
export type MailRow = z.infer<typeof MailRow>

const one = z.object({ data: MailRow })

/** To the mail server, or to files in the outbox folder when none is set. */
export const MailWay = z.enum(['smtp', 'files'])
export type MailWay = z.infer<typeof MailWay>

export const mail = {
  list: endpoint({
    method: 'GET',
    path: '/v1/admin/mail',
    access: 'admin',
    summary: 'List the mails of the last 90 days and how far each has come, the newest first',
    query: z.object({ state: z.optional(MailState), ...listQuery(['created_at']) }),
    reply: z.extend(listReply(MailRow), {
      /** Where mails go. */
      way: MailWay,
    }),
    errors: ['server.busy'],
  }),
  test: endpoint({
    method: 'POST',
    path: '/v1/admin/mail/test',
    access: 'admin',
    summary: 'Send a test mail',
    body: z.strictObject({ to: Email }),
    reply: one,
    errors: ['mail.too_many'],
  }),
  again: endpoint({
    method: 'POST',
    path: '/v1/admin/mail/{id}/again',
    access: 'admin',
    summary: 'Send a mail again that failed, or of which nobody knows whether it arrived',
    params: z.strictObject({ id: Id }),
    reply: one,
    errors: ['mail.not_found', 'mail.not_repeatable', 'mail.too_many'],
  }),
}
