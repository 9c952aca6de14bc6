import type { ActivityRow } from '@neptune/contract'
import { formatUtcDay } from '../../lib/dates.ts'
import { said, type Text, t } from '../../words/t.ts'

/** What the server noted beside an action, as people know it. What is not known here is shown as it is. */
export function noteOf({ action, note }: ActivityRow): string {
  if (note === null) return ''
  if (action === 'link.asked' || action === 'link.declined') return askWords(note)
  if (action === 'webhook.paused') return said(note)
  if (action.startsWith('webhook.')) return note.split(', ').map(webhookWords).join(', ')
  return exactWords(note) ?? patternWords(note) ?? namesIn(note)
}

function askWords(note: string): string {
  if (note === 'time') return t('for more time')
  return note === 'code' ? t('for a new code') : note
}

/** Where it goes now, what it is told, whether it is paused: each in a part of its own. */
function webhookWords(part: string): string {
  const [, host] = /^to (\S+)$/.exec(part) ?? []
  if (host !== undefined) return t('to {host}', { host })
  if (part === 'paused' || part === 'goes on') return t(part)
  return part.split(' ').map(eventWords).join(', ')
}

function eventWords(event: string): string {
  const known = events.find(([name]) => name === event)
  return known ? t(known[1]) : event
}

const events = [
  ['upload', 'Uploads'],
  ['download', 'Downloads'],
  ['link.opened', 'Links opened'],
] as const satisfies [string, Text][]

function exactWords(note: string): string | undefined {
  const known = exact.find((text) => text === note)
  return known && t(known)
}

const exact = [
  'begun',
  'in part',
  'by the store',
  'replaced',
  'unknown e-mail',
  'a spent secret came back',
  'a session that began elsewhere',
  'from another browser',
  'no such link',
  'expired',
  'paused',
  'not yet in force',
  'everything',
  'its bytes are missing',
  'it has fewer bytes than it should',
  'it has more bytes than it should',
  'its bytes are not those that were uploaded (SHA-256)',
  'the disk cannot read its bytes',
  'its bytes are right again',
] as const satisfies Text[]

function patternWords(note: string): string | undefined {
  for (const [pattern, words] of patterns) {
    const [, one, other = ''] = pattern.exec(note) ?? []
    if (one !== undefined) return words(one, other)
  }
  return undefined
}

/** Numbers stay as the server wrote them. */
const patterns: [RegExp, (one: string, other: string) => string][] = [
  [/^was (.+)$/, (name) => t('was {name}', { name })],
  [/^to (\S+@\S+)$/, (email) => t('to {email}', { email })],
  [
    /^to (\S+@\S+), kept in the outbox$/,
    (email) => t('to {email}, but no mail server is set up: saved in the outbox', { email }),
  ],
  [/^until (\d{4}-\d\d-\d\d)$/, (date) => t('until {date}', { date: formatUtcDay(date) })],
  [/^(read|write)$/, scopeWords],
  [
    /^(read|write), until (\d{4}-\d\d-\d\d)$/,
    (scope, date) => `${scopeWords(scope)}, ${t('until {date}', { date: formatUtcDay(date) })}`,
  ],
  [/^(read|write), of (\S+)$/, (scope, email) => `${scopeWords(scope)}, ${t('of {email}', { email })}`],
  [
    /^(LINK_[A-Z_]+), until (\d{4}-\d\d-\d\d)$/,
    (type, date) => `${namesIn(type)}, ${t('until {date}', { date: formatUtcDay(date) })}`,
  ],
  [/^(\d+) files?, (\S+)$/, (n, receipt) => `${t('{n} files', { n })}, ${receipt}`],
  [/^rows (\d+) to (\d+)$/, (first, last) => t('rows {first} to {last}', { first, last })],
  [/^as of (\S+)$/, (instant) => t('as of {instant}', { instant })],
  [/^(\d+) blobs?$/, (n) => t('{n} blobs', { n })],
]

/** Of API tokens. */
function scopeWords(scope: string): string {
  return scope === 'read' ? t('Read') : t('Read and write')
}

/** The server's own names of roles and of kinds of links. */
const namesIn = (note: string) =>
  note.replaceAll(/\b(?:LINK|NEPTUNE)_[A-Z_]+\b/g, (code) => {
    const known = names.find(([name]) => name === code)
    return known ? t(known[1]) : code
  })

const names = [
  ['LINK_FILE', 'File'],
  ['LINK_DIRECTORY', 'Directory'],
  ['LINK_EDITABLE_DIRECTORY', 'Editable directory'],
  ['NEPTUNE_USER', 'User'],
  ['NEPTUNE_ADMIN', 'Admin'],
] as const satisfies [string, Text][]
