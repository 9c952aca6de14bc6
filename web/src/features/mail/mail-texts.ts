import type { api, MailRow, MailState, Reply } from '@neptune/contract'
import { type Text, t } from '../../i18n/t.ts'

/** How emails are delivered: by SMTP, or as files in the outbox folder. */
export type MailWay = Reply<typeof api.mail.list>['way']

export const messageNames = {
  test: 'Test email',
  invitation: 'Invitation',
  password_reset: 'New password',
  password_changed: 'Password changed',
  email_changed: 'Email address changed',
  new_sign_in: 'New sign-in',
  factor_changed: 'Second factor changed',
  factor_reset: 'Removal of a second factor',
  link_details: 'Link details',
  link_address: 'Link details without the code',
  link_uploads: 'Files received',
  link_downloaded: 'First download',
  link_asked: 'Request from a recipient',
  link_extended: 'Link extended',
  links_handed_over: 'Links handed over',
  receipt: 'Receipt',
  quota_warning: 'Storage is running out',
} as const satisfies Record<MailRow['letter'], Text>

export const mailStateNames = {
  waiting: 'Waiting',
  sending: 'Sending',
  sent: 'Sent',
  saved: 'Saved as a file',
  failed: 'Failed',
  unconfirmed: 'Unconfirmed',
} as const satisfies Record<MailState, Text>

export const getMailStateOptions = () => Object.entries(mailStateNames).map(([value, name]) => ({ value, label: t(name) }))

/** Translates the server’s error message. Replies of a mail server are returned unchanged. */
export function translateMailProblem(problem: string): string {
  const known = knownProblems.find((text) => text === problem)
  if (known) return t(known)
  const template = templates.find((text) => problem.startsWith(getPrefix(text)))
  return template ? t(template, { reason: problem.slice(getPrefix(template).length) }) : problem
}

const knownProblems = [
  'Neptune was stopped before the mail server answered.',
  'The email couldn’t be sent in time.',
  'It could not be sent in time.', // stored by earlier versions
  'Held back: the address has reached its hourly message limit.',
] as const satisfies Text[]

const templates = [
  'The mail server is not available: {reason}',
  'Can’t write to the outbox folder: {reason}',
] as const satisfies Text[]

const getPrefix = (text: string) => text.replace('{reason}', '')
