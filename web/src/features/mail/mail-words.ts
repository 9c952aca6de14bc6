import type { api, MailRow, MailState, Reply } from '@neptune/contract'
import { type Text, t } from '../../words/t.ts'

/** Where mails go. */
export type Way = Reply<typeof api.mail.list>['way']

export const letterNames = {
  test: 'Test email',
  password_reset: 'New password',
  password_changed: 'Password changed',
  email_changed: 'E-mail address changed',
  link_details: 'Link details',
  link_address: 'Link details without the code',
  link_uploads: 'Files have arrived',
  link_downloaded: 'First download',
  link_asked: 'Request from a recipient',
  link_extended: 'Link extended',
  receipt: 'Receipt',
} as const satisfies Record<MailRow['letter'], Text>

/** Where there is no mail server, nothing was sent to anybody. */
export const stateNames = (way: Way | undefined) =>
  ({
    waiting: 'Waiting',
    sending: 'Sending',
    sent: way === 'files' ? 'Saved as file' : 'Sent',
    failed: 'Failed',
    unconfirmed: 'Unconfirmed',
  }) as const satisfies Record<MailState, Text>

export const stateOptions = (way: Way | undefined) =>
  Object.entries(stateNames(way)).map(([value, name]) => ({ value, label: t(name) }))

/** What the server says went wrong. What a mail server said is shown as it is. */
export function problemWords(problem: string): string {
  const known = problems.find((text) => text === problem)
  if (known) return t(known)
  const begun = beginnings.find((text) => problem.startsWith(beginningOf(text)))
  return begun ? t(begun, { reason: problem.slice(beginningOf(begun).length) }) : problem
}

const problems = [
  'Neptune was stopped before the mail server answered.',
  'It could not be sent in time.',
  'Held back: the address has reached its hourly message limit.',
] as const satisfies Text[]

const beginnings = [
  'The mail server is not available: {reason}',
  'Can’t write to the outbox folder: {reason}',
] as const satisfies Text[]

const beginningOf = (text: string) => text.replace('{reason}', '')
