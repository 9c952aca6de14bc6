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

/** The reason why an email was not sent, in plain words, with the technical error if there is one. */
interface MailProblem {
  text: string
  detail?: string
}

/** Describes the server’s error message. Replies of a mail server are returned unchanged. */
export function describeMailProblem(problem: string): MailProblem {
  const known = knownProblems.find((text) => text === problem)
  if (known) return { text: t(known) }
  const template = templates.find((text) => problem.startsWith(getPrefix(text)))
  if (!template) return { text: problem }
  const reason = problem.slice(getPrefix(template).length)
  const explanation = explainConnectionError(reason)
  return explanation === undefined ? { text: t(template, { reason }) } : { text: explanation, detail: reason }
}

/** Explains the usual errors of a connection to a mail server. */
function explainConnectionError(reason: string): string | undefined {
  const [, host] = /\b(?:ENOTFOUND|EAI_AGAIN) (\S+)/.exec(reason) ?? []
  if (host !== undefined) return t('The mail server “{host}” was not found.', { host })
  const [, text] = connectionErrors.find(([pattern]) => pattern.test(reason)) ?? []
  return text && t(text)
}

const connectionErrors = [
  [/ECONNREFUSED/, 'The mail server refused the connection. Perhaps the port is wrong.'],
  [
    /E(TIMEDOUT|HOSTUNREACH|NETUNREACH)|Connection timeout|Greeting never received|no response in time/,
    'The mail server didn’t answer. Perhaps the name or the port is wrong, or a firewall blocks the connection.',
  ],
  [/^Invalid login/, 'The mail server rejected the user name or the password.'],
  [/certificate/i, 'The mail server’s certificate isn’t valid.'],
  [/wrong version number/, 'The encryption doesn’t match the port of the mail server.'],
] as const satisfies [RegExp, Text][]

const knownProblems = [
  'Neptune was stopped before the mail server answered.',
  'The email couldn’t be sent in time.',
  'It could not be sent in time.', // stored by earlier versions
  'Held back, because this address has reached its limit of emails per hour. It will be sent when the hour is over.',
  'Held back: the address has reached its hourly message limit.', // stored by earlier versions
] as const satisfies Text[]

const templates = [
  'The mail server is not available: {reason}',
  'Can’t write to the outbox folder: {reason}',
] as const satisfies Text[]

const getPrefix = (text: string) => text.replace('{reason}', '')
