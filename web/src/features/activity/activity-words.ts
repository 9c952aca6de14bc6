import type { ActivityAction, ActivityRow } from '@neptune/contract'
import { paths } from '../../paths.ts'
import { type Text, t } from '../../words/t.ts'

/** What happened, in a few words. What it was done to stands beside them. */
export const actionNames = {
  'session.started': 'Signed in',
  'session.refused': 'Wrong e-mail address or password',
  'session.throttled': 'Too many sign-ins tried',
  'session.ended': 'Signed out',
  'session.ended_everywhere': 'Signed out everywhere',
  'password.changed': 'Changed the password',
  'password.reset_asked': 'Asked for a new password',
  'password.reset': 'Set a new password by mail',
  'user.created': 'Created a user',
  'user.renamed': 'Renamed a user',
  'user.email_changed': 'Changed a user’s e-mail address',
  'user.role_changed': 'Changed a user’s role',
  'user.suspended': 'Suspended a user',
  'user.restored': 'Let a user back in',
  'company.created': 'Created a company',
  'company.renamed': 'Renamed a company',
  'directory.created': 'Created a directory',
  'directory.renamed': 'Renamed a directory',
  'directory.deleted': 'Moved a directory to the trash',
  'directory.restored': 'Restored a directory',
  'directory.removed': 'Removed a directory for good',
  'directory.downloaded': 'Downloaded a directory',
  'file.uploaded': 'Uploaded a file',
  'file.renamed': 'Renamed a file',
  'file.deleted': 'Moved a file to the trash',
  'file.restored': 'Restored a file',
  'file.removed': 'Removed a file for good',
  'file.downloaded': 'Downloaded a file',
  'file.previewed': 'Looked at a file',
  'file.damaged': 'Found a file damaged',
  'upload.cancelled': 'Canceled an upload',
  'link.created': 'Created a link',
  'link.opened': 'Opened a link',
  'link.refused': 'Wrong access code for a link',
  'link.unavailable': 'Right access code, but the link is closed',
  'link.throttled': 'Too many access codes tried',
  'link.previewed': 'Viewed a link as its recipient',
  'link.code_shown': 'Looked at an access code',
  'link.code_sent': 'Wrote a mail with a link and its access code',
  'link.address_sent': 'Wrote a mail with a link, without its access code',
  'link.reset': 'Reset an access code',
  'link.asked': 'Asked the sender of a link',
  'link.extended': 'Gave a link more time',
  'link.declined': 'Declined a recipient’s question',
  'link.deleted': 'Deleted a link',
  'receipt.issued': 'Got a receipt',
  'receipt.sent': 'Wrote a mail with a receipt',
  'token.created': 'Made an API token',
  'token.revoked': 'Revoked an API token',
  'webhook.created': 'Created a webhook',
  'webhook.changed': 'Changed a webhook',
  'webhook.paused': 'Paused a webhook that failed',
  'webhook.tested': 'Tested a webhook',
  'webhook.deleted': 'Deleted a webhook',
  'mail.tested': 'Sent a test mail',
  'mail.repeated': 'Sent a mail again',
  'access.refused': 'Tried what they may not do',
  'activity.exported': 'Exported the activity',
  'activity.pruned': 'Removed old activity',
  'backup.made': 'Made a backup',
  'backup.restored': 'Restored a backup',
} as const satisfies Record<ActivityAction, Text>

/** What stands before the dot of an action, as a heading. */
const groupNames = {
  session: 'Signing in and out',
  password: 'Passwords',
  user: 'Users',
  company: 'Companies',
  directory: 'Directories',
  file: 'Files',
  upload: 'Uploads',
  link: 'Links',
  receipt: 'Receipts',
  token: 'API tokens',
  webhook: 'Webhooks',
  mail: 'Mails',
  access: 'Refusals',
  activity: 'Activity',
  backup: 'Backups',
} as const satisfies Record<Group, Text>

type Group = ActivityAction extends `${infer Name}.${string}` ? Name : never

/** For a select: every action, under what it is about. */
export const actionOptions = () =>
  Object.entries(groupNames).map(([group, heading]) => ({
    label: t(heading),
    options: Object.entries(actionNames)
      .filter(([action]) => action.startsWith(`${group}.`))
      .map(([value, name]) => ({ value, label: t(name) })),
  }))

export const outcomeOptions = () => [
  { value: 'done', label: t('Done') },
  { value: 'refused', label: t('Refused') },
]

/** Who did it, where they have no name. */
const whoNames = {
  staff: 'Staff',
  recipient: 'A recipient',
  stranger: 'Somebody unknown',
  operator: 'Operator',
} as const satisfies Partial<Record<ActivityRow['who'], Text>>

export function whoOf({ person, who }: ActivityRow): string {
  if (person !== null) return person
  return who === 'system' ? 'Neptune' : t(whoNames[who])
}

/** What the trail can be narrowed to by an address. */
export type Subject = 'file' | 'directory' | 'link'

export const subjects: readonly Subject[] = ['file', 'directory', 'link']

/** Where all that happened to one thing is listed. */
export const activityOf = (subject: Subject, id: string) => `${paths.activity}?${new URLSearchParams({ [subject]: id })}`

/** What the name of a row belongs to, where that can be asked for alone. */
export function subjectOf(row: ActivityRow): { subject: Subject; id: string } | undefined {
  const group = row.action.split('.')[0]
  const subject = group === 'receipt' ? 'link' : subjects.find((name) => name === group)
  const id = subject && row[subject]
  return subject && id ? { subject, id } : undefined
}
