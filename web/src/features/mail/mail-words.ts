import type { api, MailRow, MailState, Reply } from '@neptune/contract'

/** Where mails go. */
export type Way = Reply<typeof api.mail.list>['way']

export const letterNames: Record<MailRow['letter'], string> = {
  test: 'Test mail',
  password_reset: 'New password',
  password_changed: 'Password changed',
  link_details: 'Link details',
  link_address: 'Link details without the code',
  link_uploads: 'Files have arrived',
  link_downloaded: 'First download',
  link_asked: 'Question of a recipient',
  link_extended: 'More time for a link',
  receipt: 'Receipt',
}

/** Where there is no mail server, nothing was sent to anybody. */
export const stateNames = (way: Way | undefined): Record<MailState, string> => ({
  waiting: 'Waiting',
  sending: 'Sending',
  sent: way === 'files' ? 'Saved as file' : 'Sent',
  failed: 'Failed',
  unconfirmed: 'Unconfirmed',
})

export const stateOptions = (way: Way | undefined) => Object.entries(stateNames(way)).map(([value, label]) => ({ value, label }))
