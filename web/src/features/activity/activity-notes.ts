import type { ActivityRow } from '@neptune/contract'
import { type Text, t, translateMessage } from '../../i18n/t.ts'
import { formatSignIn, isSecondFactor, isSignInMethod } from '../../lib/sign-in-names.ts'
import { formatSize } from '../../lib/sizes.ts'
import { formatUtcDay } from '../../lib/time/dates.ts'
import { savedSuffix } from './activity-texts.ts'
import { formatPasskeyName, formatPasskeyNote } from './passkey-notes.ts'
import { formatSettingNote } from './setting-notes.ts'

/** Translates the note of an audit entry. Unknown notes are returned unchanged. */
export function formatNote({ action, name, note: stored }: ActivityRow): string {
  if (stored === null) return ''
  const note = stored.replace(savedSuffix, '') // the label already says that the email was only saved
  if (action === 'link.asked' || action === 'link.declined') return formatAskNote(note)
  if (action === 'webhook.paused') return translateMessage(note)
  if (action === 'settings.changed') return formatSettingNote(name, note)
  if (action === 'session.confirmed') return formatConfirmation(note)
  if (action === 'session.started') return formatSignInNote(note)
  if (action === 'session.refused' && note === 'second factor') return '' // the label already says that the code was wrong
  if (note.startsWith('passkey: ')) return formatPasskeyNote(note.slice('passkey: '.length), formatOtherNote)
  if (/^factor\.(started|added|removed)$/.test(action)) return formatFactorNote(note)
  if (action.startsWith('webhook.')) return note.split(', ').map(formatWebhookChange).join(', ')
  return formatOtherNote(note)
}

/** Translates a note, except for the hash of a file at its end. */
function formatOtherNote(stored: string): string {
  const [, note = stored, hash] = /^(.+), (SHA-256 [0-9a-f]{64})$/.exec(stored) ?? []
  const formatted = formatFixedNote(note) ?? formatPatternNote(note) ?? replaceCodes(note)
  return hash === undefined ? formatted : `${formatted}, ${hash}`
}

/** Translates how someone signed in, such as `password + totp`. Older entries have other notes. */
function formatSignInNote(note: string): string {
  const [method = '', secondFactor = null] = note.split(' + ')
  return isSignInMethod(method) ? formatSignIn(method, isSecondFactor(secondFactor) ? secondFactor : null) : formatOtherNote(note)
}

function formatFactorNote(note: string): string {
  if (note === 'totp') return t('Authenticator app')
  const [, name] = /^passkey “(.*)”$/.exec(note) ?? []
  return name === undefined ? note : formatPasskeyName(name)
}

/** Translates how someone confirmed their identity. */
function formatConfirmation(note: string): string {
  if (note === 'passkey') return t('Passkey')
  return t(note === 'totp' ? 'Code from an app' : 'Password')
}

function formatAskNote(note: string): string {
  if (note === 'time') return t('for more time')
  return note === 'code' ? t('for a new code') : note
}

/** Translates one change of a webhook: its host, its state or its events. */
function formatWebhookChange(part: string): string {
  const [, host] = /^to (\S+)$/.exec(part) ?? []
  if (host !== undefined) return t('to {host}', { host })
  if (part === 'paused') return t('paused')
  if (part === 'resumed' || part === 'goes on') return t('resumed') // older entries have `goes on`
  return part.split(' ').map(formatEvent).join(', ')
}

function formatEvent(event: string): string {
  const entry = eventNames.find(([name]) => name === event)
  return entry ? t(entry[1]) : event
}

const eventNames = [
  ['upload', 'Uploads'],
  ['download', 'Downloads'],
  ['link.opened', 'Links opened'],
] as const satisfies [string, Text][]

function formatFixedNote(note: string): string | undefined {
  const text = plainNotes.find((plain) => plain === note) ?? fixedNotes.find(([stored]) => stored === note)?.[1]
  return text && t(text)
}

/** Notes that are shown and translated exactly as the audit log stores them. */
const plainNotes = [
  'partly',
  'replaced',
  'unknown email address',
  'a used session secret was presented again',
  'a session that started elsewhere',
  'from another browser',
  'no such link',
  'expired',
  'paused',
  'not yet active',
  'everything',
  'its content is shorter than it should be',
  'its content is longer than it should be',
  'its content is intact again',
  'its content is missing or has the wrong size',
  'its content can’t be read completely',
] as const satisfies Text[]

/** Codes and other fixed notes, with the texts to show for them. Some occur only in older entries. */
const fixedNotes = [
  ['begun', 'started'],
  ['in part', 'partly'],
  ['by the store', 'sent by the object store'],
  ['by the object store', 'sent by the object store'],
  ['by the proxy', 'sent by the proxy'],
  ['unknown e-mail', 'unknown email address'],
  ['link shown', 'link shown to copy'],
  ['a spent secret came back', 'a used session secret was presented again'],
  ['a session that began elsewhere', 'a session that started elsewhere'],
  ['suspended', 'Suspended'],
  ['company_archived', 'Company archived'],
  ['directory_deleted', 'Directory deleted'],
  ['file_deleted', 'File deleted or replaced'],
  ['version_deleted', 'Version deleted'],
  ['owner_suspended', 'Owner suspended'],
  ['owner_without_access', 'Owner has no access'],
  ['not yet in force', 'not yet active'],
  ['its bytes are missing', 'its content is missing'],
  ['it has fewer bytes than it should', 'its content is shorter than it should be'],
  ['it has more bytes than it should', 'its content is longer than it should be'],
  ['its bytes are not those that were uploaded (SHA-256)', 'its content differs from what was uploaded (SHA-256)'],
  ['the disk cannot read its bytes', 'the disk can’t read its content'],
  ['its bytes are right again', 'its content is intact again'],
  ['its bytes are missing or have the wrong size', 'its content is missing or has the wrong size'],
  ['its bytes cannot be read completely', 'its content can’t be read completely'],
] as const satisfies [string, Text][]

function formatPatternNote(note: string): string | undefined {
  for (const [pattern, format] of patternNotes) {
    const [, first, second = ''] = pattern.exec(note) ?? []
    if (first !== undefined) return format(first, second)
  }
  return undefined
}

/** Patterns of stored notes, each with a function that formats its groups. Numbers keep the server’s format, without separators. */
const patternNotes: [RegExp, (first: string, second: string) => string][] = [
  [/^was (.+)$/, (name) => t('was {name}', { name })],
  [/^provider: ([\w-]+)$/, (outcome) => `${t('Single sign-on')}: ${outcome}`],
  [/^(\S+@\S+) at (https?:\S+)$/, (email, issuer) => `${email} · ${issuer}`],
  [/^to (\S+@\S+)$/, (email) => t('to {email}', { email })],
  [/^until (\d{4}-\d\d-\d\d)$/, (date) => t('until {date}', { date: formatUtcDay(date) })],
  [/^(read|write)$/, formatScope],
  [
    /^(read|write), until (\d{4}-\d\d-\d\d)$/,
    (scope, date) => `${formatScope(scope)}, ${t('until {date}', { date: formatUtcDay(date) })}`,
  ],
  [/^(read|write), of (\S+)$/, (scope, email) => `${formatScope(scope)}, ${t('owned by {email}', { email })}`],
  [
    /^(LINK_[A-Z_]+), until (\d{4}-\d\d-\d\d)$/,
    (type, date) => `${replaceCodes(type)}, ${t('until {date}', { date: formatUtcDay(date) })}`,
  ],
  [
    /^LINK_FILE, (\d+) files, until (\d{4}-\d\d-\d\d)$/,
    (n, date) => `${t('{n} files', { n })}, ${t('until {date}', { date: formatUtcDay(date) })}`,
  ],
  [/^selection of (\d+)$/, (count) => t('{count} selected', { count })],
  [
    /^(begun|partly|in part), selection of (\d+)$/,
    (how, count) => `${formatFixedNote(how)}, ${t('{count} selected', { count })}`,
  ],
  [/^(\d+) files?, (\S+)$/, (n, receipt) => `${t('{n} files', { n })}, ${receipt}`],
  [/^rows (\d+) to (\d+)$/, (first, last) => t('rows {first} to {last}', { first, last })],
  [/^(default|\d+) → (default|\d+)$/, (before, after) => [before, after].map(formatQuota).join(' → ')],
  [/^as of (\S+)$/, (instant) => t('as of {instant}', { instant })],
  [/^version (\d+)$/, (number) => t('version {number}', { number })],
  [/^(\d+) left$/, (n) => t('{n} left', { n })],
  [/^(\d+)%$/, (percent) => t('{percent}%', { percent })],
  [/^(\d+) blobs?$/, (n) => t('{n} stored objects', { n })],
]

/** Formats the quota of a company. */
const formatQuota = (quota: string) => (quota === 'default' ? t('default') : formatSize(Number(quota)))

/** Translates the scope of an API token. */
function formatScope(scope: string): string {
  return scope === 'read' ? t('Read') : t('Read and write')
}

/** Replaces the codes of roles and link types with their names. */
const replaceCodes = (note: string) =>
  note.replaceAll(/\b(?:LINK|NEPTUNE)_[A-Z_]+\b/g, (code) => {
    const entry = codeNames.find(([name]) => name === code)
    return entry ? t(entry[1]) : code
  })

const codeNames = [
  ['LINK_FILE', 'File'],
  ['LINK_DIRECTORY', 'Directory'],
  ['LINK_EDITABLE_DIRECTORY', 'Editable directory'],
  ['NEPTUNE_USER', 'User'],
  ['NEPTUNE_ADMIN', 'Admin'],
] as const satisfies [string, Text][]
