import {
  type LinkEvent,
  LinkFilterState,
  type LinkRow,
  type LinkState,
  type LinkStopReason,
  type LinkType,
} from '@neptune/contract'
import { type Text, t } from '../../i18n/t.ts'
import { defaultCompany } from '../../lib/default-company.ts'
import { formatDateTime, formatDateTimeWithZone } from '../../lib/time/dates.ts'

const linkTypeNames = {
  LINK_FILE: 'File',
  LINK_DIRECTORY: 'Directory',
  LINK_EDITABLE_DIRECTORY: 'Editable directory',
} as const satisfies Record<LinkType, Text>

/** Returns the type of a link, or for a link to several files their number. */
export const getLinkTypeName = ({ type, files }: Pick<LinkRow, 'type' | 'files'>): string =>
  typeof files === 'number' ? t('{n} files', { n: files }) : t(linkTypeNames[type])

export const getLinkTypeOptions = () => Object.entries(linkTypeNames).map(([value, name]) => ({ value, label: t(name) }))

const linkTypeEffects = {
  LINK_FILE: 'Recipients can download one file.',
  LINK_DIRECTORY: 'Recipients can view and download all files in the directory.',
  LINK_EDITABLE_DIRECTORY: 'Recipients can view, download and upload files in the directory.',
} as const satisfies Record<LinkType, Text>

/** Says what recipients can do with a link, and what its owner is notified about. */
export const describeLinkType = (type: LinkType, hasMailServer: boolean): string =>
  type === 'LINK_EDITABLE_DIRECTORY' && hasMailServer
    ? `${t(linkTypeEffects[type])} ${t('As the owner of the link, you get an email about uploads.')}`
    : t(linkTypeEffects[type])

const stateNames = {
  active: 'Active',
  expiring: 'Expires soon',
  expired: 'Expired',
  company_archived: 'Company archived',
  directory_deleted: 'Directory deleted',
  file_deleted: 'File deleted',
  version_deleted: 'Version deleted',
  owner_suspended: 'Owner suspended',
  owner_without_access: 'Owner has no access',
} as const satisfies Record<LinkState, Text>

export const getLinkStateOptions = () => LinkFilterState.options.map((value) => ({ value, label: getLinkStateLabel(value) }))

/** Returns the label of a state to filter links by. */
export function getLinkStateLabel(state: LinkFilterState): string {
  if (state === 'unopened') return t('Not opened yet')
  return t(state === 'file_deleted' ? 'File deleted or replaced' : stateNames[state])
}

export type LinkStatus = Pick<LinkRow, 'state' | 'reasons' | 'replaced' | 'maker' | 'client' | 'files'>

export const getStateName = ({ state, replaced }: Pick<LinkRow, 'state' | 'replaced'>): string =>
  state === 'file_deleted' && replaced ? t('File replaced') : t(stateNames[state])

/** Explains why a link doesn’t work. Undefined for a working link. */
export function getStopReason(link: LinkStatus): string | undefined {
  const [reason] = link.reasons ?? []
  return reason && describeStopReason(reason, link)
}

/** Explains why the access code of a link can’t be reset: its company is archived. Undefined if it isn’t. */
export const getArchivedLinkReason = (link: LinkStatus): string | undefined =>
  link.reasons?.includes('company_archived') ? describeStopReason('company_archived', link) : undefined

/** Explains why the details of a link can’t be sent: the link doesn’t work. Undefined for a working link. */
export function getUnsendableReason(link: LinkStatus): string | undefined {
  const reason = link.reasons?.find((reason) => !isFixedByExtending(reason)) ?? link.reasons?.[0]
  if (reason === 'expired') return t(extendFirst)
  return reason && describeStopReason(reason, link)
}

export const extendFirst = 'The link has expired. Extend it first.' satisfies Text

export const isOwnerReason = (reason: LinkStopReason) => reason.startsWith('owner_')

/** Returns whether extending the link removes this reason. If the owner can’t act, extending also makes the user the owner. */
export const isFixedByExtending = (reason: LinkStopReason) => reason === 'expired' || isOwnerReason(reason)

/** Returns whether extending the link or resetting its code makes the user its owner, because the owner can’t sign in or has no access. */
export const needsNewOwner = ({ reasons }: Pick<LinkRow, 'reasons'>): boolean => reasons?.some(isOwnerReason) ?? false

/** Explains one of the reasons why a link doesn’t work. */
export function describeStopReason(reason: LinkStopReason, { replaced, maker, client, files }: LinkStatus): string {
  const company = client ?? defaultCompany
  switch (reason) {
    case 'expired':
      return t('Anyone who opens the link sees that it has expired.')
    case 'company_archived':
      return t('The link doesn’t work while {company} is archived.', { company })
    case 'directory_deleted':
      return t('The link doesn’t work while its directory is in the trash.')
    case 'file_deleted':
      if (typeof files === 'number')
        return t('The link doesn’t work because none of its files are left. Restore one of them from the trash.')
      return replaced
        ? t('The link doesn’t work because its file was replaced. Create a link to the new file, or restore the old one.')
        : t('The link doesn’t work while its file is in the trash.')
    case 'version_deleted':
      return t('The link doesn’t work because the version that it shows was deleted. Create a new link.')
    case 'owner_suspended':
      return t('The link doesn’t work while its owner, {name}, can’t sign in.', { name: maker })
    case 'owner_removed':
      return t('Its owner, {name}, was removed.', { name: maker })
    case 'owner_company_archived':
      return t('The link doesn’t work while the company of its owner, {name}, is archived.', { name: maker })
    case 'owner_without_access':
      return t('The link doesn’t work because its owner, {name}, has no access to {company}.', { name: maker, company })
  }
}

/** Describes an event of a link. Its `name` is a file, the recipient of the code, what was asked for, or the new expiry or owner. */
export function describeEvent({ kind, name }: LinkEvent): string {
  if (kind === 'asked') return name === 'time' ? t('Asked for more time') : t('Asked for a new code')
  if (name && kind === 'downloaded') return t('Downloaded “{name}”', { name })
  if (name && kind === 'uploaded') return t('Uploaded “{name}”', { name })
  if (name && kind === 'extended') return t('Extended until {date}', { date: formatDateTime(name) })
  if (name && kind === 'handed_over') return t('Handed over to {name}', { name })
  if (name && kind === 'code_saved') return t('Email with the code to {email} saved, not sent: no mail server', { email: name })
  if (name && kind === 'code_sent') return t('Code emailed to {email}', { email: name })
  return t(eventNames[kind])
}

const eventNames = {
  opened: 'Opened',
  tried: 'Someone tried to open it',
  downloaded: 'Downloaded',
  uploaded: 'Uploaded',
  code_shown: 'Code shown',
  code_sent: 'Code emailed',
  code_saved: 'Email with the code saved, not sent: no mail server',
  reset: 'Code reset',
  extended: 'Extended',
  closed: 'Closed',
  handed_over: 'Handed over',
} as const satisfies Partial<Record<LinkEvent['kind'], Text>>

/** Summarizes a link by what distinguishes it from other links to the same target. */
export const summarizeLink = (link: Pick<LinkRow, 'type' | 'files' | 'key' | 'expiry'>) =>
  [
    getLinkTypeName(link),
    t('link {start}…', { start: link.key.slice(0, 6) }),
    t('until {date}', { date: formatDateTime(link.expiry) }),
  ].join(' · ')

/** Returns whether an address works only on this machine. */
export const isLoopback = (url: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)

/** Returns what recipients call the shared content. For several files, they don't learn the name of the directory. */
export const getNameForRecipients = ({ name, type, files }: LinkRow): string =>
  typeof files === 'number' ? getLinkTypeName({ type, files }) : name

/** Formats the link, code and expiry for pasting into a message. */
export const formatLinkDetails = (link: LinkRow, accessCode: string) =>
  [
    getNameForRecipients(link),
    t('Link: {address}', { address: link.url }),
    t('Access code: {code}', { code: accessCode }),
    t('Open until: {date}', { date: formatDateTimeWithZone(link.expiry) }),
  ].join('\n')
