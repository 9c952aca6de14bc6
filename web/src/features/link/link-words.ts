import type { LinkEvent, LinkRow, LinkState, LinkType } from '@neptune/contract'
import { formatDateAndZone } from '../../lib/dates.ts'
import { paths } from '../../paths.ts'

export const typeNames: Record<LinkType, string> = {
  LINK_FILE: 'File',
  LINK_DIRECTORY: 'Directory',
  LINK_EDITABLE_DIRECTORY: 'Editable directory',
}

export const typeOptions = Object.entries(typeNames).map(([value, label]) => ({ value, label }))

/** What whoever has the link may do. */
export const typeEffects: Record<LinkType, string> = {
  LINK_FILE: 'One file, to download.',
  LINK_DIRECTORY: 'All files of the directory, to see and download.',
  LINK_EDITABLE_DIRECTORY: 'All files of the directory, to see and download; and more can be uploaded.',
}

export const stateNames: Record<LinkState, string> = {
  active: 'Active',
  expiring: 'Expires soon',
  expired: 'Expired',
  paused: 'Paused',
}

export const stateOptions = Object.entries(stateNames).map(([value, label]) => ({ value, label }))

/** Why a link opens nothing, and what would change that. */
export const stateReasons: Partial<Record<LinkState, string>> = {
  expired: 'Whoever opens it is told that it has expired.',
  paused: 'It opens nothing, because its maker may not share any more. Resetting its access code makes you its maker.',
}

export const eventNames: Record<LinkEvent['kind'], string> = {
  opened: 'Opened',
  downloaded: 'Downloaded',
  uploaded: 'Uploaded',
  code_shown: 'Code shown',
  code_sent: 'Code sent',
  reset: 'Code reset',
  extended: 'Thirty more days given',
  asked: 'Asked',
}

/** Where a link is opened. */
export const addressOf = (key: string) => location.origin + paths.access(key)

/** What a person sends in a message of their own. */
export const detailsOf = ({ key, name, expiry }: LinkRow, accessCode: string) =>
  [name, `Link: ${addressOf(key)}`, `Access code: ${accessCode}`, `Open until: ${formatDateAndZone(expiry)}`].join('\n')
