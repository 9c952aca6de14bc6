import type { ActivityAction, ActivityRow } from '@neptune/contract'
import { type Text, t } from '../../i18n/t.ts'
import { formatPersonName } from '../../lib/person-name.ts'
import { paths } from '../../paths.ts'

/** Short labels of audit actions. The item is shown next to them. */
const actionNames = {
  'session.started': 'Signed in',
  'session.refused': 'Failed sign-in',
  'session.unavailable': 'Right sign-in details, but this person can’t sign in',
  'session.throttled': 'Too many sign-in attempts',
  'session.ended': 'Signed out',
  'session.ended_everywhere': 'Signed out everywhere',
  'session.confirmed': 'Confirmed their identity',
  'session.link_created': 'Created a sign-in link on the server',
  'password.changed': 'Changed the password',
  'password.reset_asked': 'Requested a new password',
  'password.link_created': 'Created a link to choose a new password',
  'password.reset': 'Chose a new password with a link',
  'factor.started': 'Started setting up a second factor',
  'factor.added': 'Added a second factor',
  'factor.removed': 'Removed a second factor',
  'factor.renamed': 'Renamed a passkey',
  'factor.copied': 'Refused a passkey that may be a copy',
  'factor.codes_renewed': 'Created new recovery codes',
  'factor.code_used': 'Used a recovery code',
  'factor.browsers_forgotten': 'Stopped trusting all browsers',
  'factor.reset_requested': 'Requested the removal of a user’s second factors',
  'factor.reset_cancelled': 'Cancelled the removal of a user’s second factors',
  'factor.reset': 'Removed all second factors of a user',
  'provider.created': 'Added a sign-in provider',
  'provider.changed': 'Changed a sign-in provider',
  'provider.deleted': 'Deleted a sign-in provider',
  'provider.linked': 'Connected an account',
  'provider.unlinked': 'Disconnected an account',
  'user.created': 'Created a user',
  'user.invited': 'Invited a user',
  'user.invitation_resent': 'Renewed an invitation',
  'user.invitation_revoked': 'Revoked an invitation',
  'user.invitation_accepted': 'Accepted an invitation',
  'user.renamed': 'Renamed a user',
  'user.email_changed': 'Changed a user’s email address',
  'user.language_changed': 'Changed a user’s language',
  'user.role_changed': 'Changed a user’s role',
  'user.access_changed': 'Changed which companies a user can see',
  'user.suspended': 'Suspended a user',
  'user.restored': 'Restored a user',
  'user.removed': 'Removed a user',
  'company.created': 'Created a company',
  'company.renamed': 'Renamed a company',
  'company.note_changed': 'Changed a company’s note',
  'company.quota_changed': 'Changed a company’s quota',
  'company.quota_warned': 'Warned that a company’s storage is running out',
  'company.brand_changed': 'Changed a company’s own brand',
  'company.archived': 'Archived a company',
  'company.restored': 'Restored a company',
  'directory.created': 'Created a directory',
  'directory.renamed': 'Renamed a directory',
  'directory.moved': 'Moved a folder',
  'directory.copied': 'Copied a folder',
  'directory.deleted': 'Moved a directory to the trash',
  'directory.restored': 'Restored a directory',
  'directory.removed': 'Permanently deleted a directory',
  'directory.downloaded': 'Downloaded a directory',
  'file.uploaded': 'Uploaded a file',
  'file.replaced': 'Replaced a file',
  'file.version_restored': 'Restored an earlier version',
  'file.version_deleted': 'Deleted an earlier version',
  'file.version_removed': 'Automatically deleted an earlier version',
  'file.renamed': 'Renamed a file',
  'file.moved': 'Moved a file',
  'file.copied': 'Copied a file',
  'file.deleted': 'Moved a file to the trash',
  'file.restored': 'Restored a file',
  'file.removed': 'Permanently deleted a file',
  'file.downloaded': 'Downloaded a file',
  'file.previewed': 'Previewed a file',
  'file.damaged': 'Found a damaged file',
  'upload.cancelled': 'Cancelled an upload',
  'link.created': 'Created a link',
  'link.opened': 'Opened a link',
  'link.refused': 'Wrong access code for a link',
  'link.unavailable': 'Right access code, but the link doesn’t work',
  'link.throttled': 'Too many access code attempts',
  'link.previewed': 'Viewed a link as its recipient',
  'link.code_shown': 'Viewed an access code',
  'link.code_sent': 'Emailed a link with its access code',
  'link.address_sent': 'Emailed a link without its access code',
  'link.reset': 'Reset an access code',
  'link.asked': 'Sent a request to the owner of a link',
  'link.extended': 'Extended a link',
  'link.handed_over': 'Handed over a link',
  'link.closed': 'Closed a link',
  'link.declined': 'Declined a recipient’s request',
  'link.deleted': 'Deleted a link',
  'receipt.issued': 'Got a receipt',
  'receipt.sent': 'Emailed a receipt',
  'token.created': 'Created an API token',
  'token.revoked': 'Revoked an API token',
  'webhook.created': 'Created a webhook',
  'webhook.changed': 'Changed a webhook',
  'webhook.paused': 'Paused a failing webhook',
  'webhook.tested': 'Tested a webhook',
  'webhook.deleted': 'Deleted a webhook',
  'mail.tested': 'Sent a test email',
  'mail.repeated': 'Sent an email again',
  'settings.changed': 'Changed a setting',
  'access.refused': 'Attempted something without permission',
  'activity.exported': 'Exported the activity log',
  'activity.pruned': 'Deleted old activity',
  'backup.made': 'Created a backup',
  'backup.restored': 'Restored a backup',
} as const satisfies Record<ActivityAction, Text>

/** Labels of emails that were not sent, because no mail server was set up. */
const savedNames = {
  'link.code_sent': 'Saved an email with a link and its code. It wasn’t sent',
  'link.address_sent': 'Saved an email with a link. It wasn’t sent',
  'receipt.sent': 'Saved an email with a receipt. It wasn’t sent',
} as const satisfies Partial<Record<ActivityAction, Text>>

/** The end of the note about an email that was saved to a file. Older entries are worded differently. */
export const savedSuffix = /, (?:saved to the outbox folder|kept in the outbox)$/

/** Returns the label of an audit entry. */
export function getActionName({ action, note }: Pick<ActivityRow, 'action' | 'note'>): string {
  if (action === 'session.refused' && note === 'second factor') return t('Wrong second-factor code')
  // Passkeys and providers have their own notes.
  if (action === 'session.refused' && !/^(passkey|provider): /.test(note ?? '')) return t('Wrong email address or password')
  const selectedCount = action === 'directory.downloaded' ? note?.match(/selection of (\d+)/)?.[1] : undefined
  if (selectedCount !== undefined) return t('Downloaded {n} items from a directory', { n: Number(selectedCount) })
  const isOnlySaved = note !== null && savedSuffix.test(note)
  return t(isOnlySaved && action in savedNames ? savedNames[action as keyof typeof savedNames] : actionNames[action])
}

/** Headings of action groups, by the part of an action before its dot. */
const groupNames = {
  session: 'Signing in and out',
  password: 'Passwords',
  factor: 'Second factors',
  provider: 'Sign-in providers',
  user: 'Users',
  company: 'Companies',
  directory: 'Directories',
  file: 'Files',
  upload: 'Uploads',
  link: 'Links',
  receipt: 'Receipts',
  token: 'API tokens',
  webhook: 'Webhooks',
  mail: 'Emails',
  settings: 'Settings',
  access: 'Denied actions',
  activity: 'Activity',
  backup: 'Backups',
} as const satisfies Record<Group, Text>

type Group = ActivityAction extends `${infer Name}.${string}` ? Name : never

/** Returns every action as a select option, by group. */
export const getActionOptions = () =>
  Object.entries(groupNames).map(([group, heading]) => ({
    label: t(heading),
    options: Object.entries(actionNames)
      .filter(([action]) => action.startsWith(`${group}.`))
      .map(([value, name]) => ({ value, label: t(name) })),
  }))

export const getOutcomeOptions = () => [
  { value: 'done', label: t('Done') },
  { value: 'refused', label: t('Refused') },
]

/** Names of actors who have no name of their own. */
const actorNames = {
  staff: 'Staff',
  recipient: 'A recipient',
  stranger: 'Unknown person',
  operator: 'Operator',
} as const satisfies Partial<Record<ActivityRow['who'], Text>>

export function getActorName({ person, who }: ActivityRow): string {
  if (person !== null) return formatPersonName(person)
  return who === 'system' ? 'Neptune' : t(actorNames[who])
}

/** The kinds of items that the URL can filter the audit log by. */
export type Subject = 'file' | 'directory' | 'link'

export const subjects: readonly Subject[] = ['file', 'directory', 'link']

/** Returns the path of the activity page, filtered by one file, directory or link. */
export const getActivityPath = (subject: Subject, id: string) => `${paths.activity}?${new URLSearchParams({ [subject]: id })}`

/** Returns the file, directory or link a row is about; undefined if it is about none of them. */
export function findSubject(row: ActivityRow): { subject: Subject; id: string } | undefined {
  const group = row.action.split('.')[0]
  const subject = group === 'receipt' ? 'link' : subjects.find((name) => name === group)
  const id = subject && row[subject]
  return subject && id ? { subject, id } : undefined
}
