import type { api, Language, MailRow, Parsed } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import type { WithRequester } from '../../lib/concurrency/scan.ts'
import { normalizeEmail } from '../../lib/email.ts'
import { newId } from '../../lib/secrets.ts'
import type { WriteEmail } from '../../mail/emails/email-body.ts'
import { emails } from '../../mail/emails/emails.ts'
import type { Address } from '../../mail/mailer.ts'
import { record } from '../audit/audit.service.ts'
import { readMailDelivery } from '../settings/mail-server.service.ts'
import { countMails, type Sender } from './mail-limit.service.ts'
import {
  deleteOldMails,
  deleteWaitingMail,
  findMail,
  insertMail,
  listMails,
  listUnsentMails,
  type OutboxRow,
  repeatMail,
  setMailAbout,
} from './outbox.repo.ts'

/** The contents of an email, from a feature. create-message.service.ts adds the language and the layout. */
export interface Draft {
  write: WriteEmail
  /** In emails to recipients: the company whose files are shared. The email shows its brand, if it has one. */
  companyId?: string | undefined
  /** The person who caused the email, and gets the replies to it. Emails about the security of an account never have one. */
  replyTo?: Address | undefined
  /** The reader's language, for readers who can't be found by their address. */
  language?: Language | null
}

/**
 * Composes a message when it is about to be sent, so that no secret is stored in the database. Returns undefined if there is nothing
 * left to say, or nobody to send it to.
 */
export type Compose = (deps: Deps, mail: { letter: MailRow['letter']; about: string; to: string }) => Promise<Draft | undefined>

type Db = Deps['db']

const hourMs = 60 * 60_000
export const retryPeriodMs = 48 * hourMs
const retentionMs = 90 * 24 * hourMs

export interface NewMail {
  letter: MailRow['letter']
  /** Normalized and validated. */
  to: string
  /** What the message is composed from, such as the id of a row. */
  about: string
  /** The earliest time to send it. */
  next_at?: string
  /** The time after which it is no longer sent. */
  ends_at?: string
  /** The language of the recipient, if it is known. Users read emails in the language that they chose. */
  language?: Language | undefined
  /** The person who causes it; undefined if Neptune sends it on its own. */
  sender?: Sender
}

/**
 * Adds a message to the outbox. Call it inside the transaction that causes it: the message is sent only if that commits. Throws
 * `mail.too_many` when the address or the sender is over a limit. Take no other locks after it, except the audit log's.
 */
export async function enqueueMail(deps: Deps, trx: Db, mail: NewMail): Promise<MailRow> {
  await countMails(deps, trx, mail.letter, [mail.to], mail.sender)
  return insertMessage(deps, trx, mail)
}

/** Returns how emails are sent now, for staff who are about to send one. */
export const readMailDeliveryReply = async (deps: Deps) => ({ way: await readMailDelivery(deps) })

/** Adds to the note of an audit entry that a message was not sent, only saved, because no mail server is set up. */
export const describeDelivery = async (deps: Deps, note: string) =>
  (await readMailDelivery(deps)) === 'files' ? `${note}, saved to the outbox folder` : note

/** Adds the same message for several addresses. It counts once for its sender. */
export async function enqueueMails(deps: Deps, trx: Db, to: string[], mail: Omit<NewMail, 'to'>): Promise<void> {
  await countMails(deps, trx, mail.letter, to, mail.sender)
  for (const address of to) await insertMessage(deps, trx, { ...mail, to: address })
}

/**
 * Moves the lines about links from the waiting messages of one address to new messages to another address. The lines of a message
 * that is being sent right now are copied instead, because sending may fail.
 */
export async function forwardMessages(
  trx: Db,
  kinds: MailRow['letter'][],
  { from, to, keys }: { from: string; to: string; keys: string[] },
): Promise<void> {
  const links = new Set(keys)
  const isAboutLink = (line: string) => links.has(line.split(' ', 1)[0] ?? '')
  const unsent = await listUnsentMails(trx, kinds, to)
  const waiting = new Set(unsent.flatMap(({ letter, about }) => splitLines(about).map((line) => letter + line)))
  for (const mail of await listUnsentMails(trx, kinds, from)) {
    const lines = splitLines(mail.about)
    const moved = lines.filter((line) => isAboutLink(line) && !waiting.has(mail.letter + line))
    const rest = lines.filter((line) => !isAboutLink(line))
    await (rest.length > 0 ? setMailAbout(trx, mail, rest.join('\n')) : deleteWaitingMail(trx, mail))
    if (moved.length === 0) continue
    for (const line of moved) waiting.add(mail.letter + line)
    const fresh = { id: newId(), recipient: to, state: 'waiting' as const, claim: null, tries: 0, refusals: 0 }
    await insertMail(trx, { ...mail, ...fresh, about: moved.join('\n') })
  }
}

const splitLines = (about: string) => about.split('\n').filter((line) => line !== '')

/** Merges the `about` of two messages. Sorts its lines, so that of several lines about one link the earliest comes first. */
export const mergeLines = (a: string, b: string) => [...new Set([...splitLines(a), ...splitLines(b)])].sort().join('\n')

async function insertMessage(deps: Deps, trx: Db, { letter, to, about, next_at, ends_at, language }: NewMail): Promise<MailRow> {
  const now = deps.now()
  const row = {
    id: newId(),
    letter,
    recipient: to,
    about,
    state: 'waiting' as const,
    created_at: now.toISOString(),
    ends_at: ends_at ?? new Date((next_at ? Date.parse(next_at) : now.getTime()) + retryPeriodMs).toISOString(),
    tries: 0,
    refusals: 0,
    next_at: next_at ?? now.toISOString(),
    claim: null,
    sent_at: null,
    problem: null,
    language: language ?? null,
  }
  await insertMail(trx, row)
  return toMailRow(deps, row)
}

export async function listOutbox(
  deps: Deps,
  { sort = '-created_at', ...query }: Parsed<typeof api.mail.list>['query'] & WithRequester,
) {
  const { rows, next } = await listMails(deps.db, { ...query, sort })
  return { data: rows.map((row) => toMailRow(deps, row)), next, way: await readMailDelivery(deps) }
}

export async function sendTestMail(deps: Deps, actor: Staff, email: string): Promise<MailRow> {
  const to = normalizeEmail(email)
  return deps.db.transaction().execute(async (trx) => {
    const mail = await enqueueMail(deps, trx, { letter: 'test', to, about: actor.userId, sender: actor })
    await record(deps, trx, [{ action: 'mail.tested', by: actor, company: actor.companyId, name: to }])
    return mail
  })
}

export const composeTest: Compose = async () => ({ write: emails.test() })

export async function sendAgain(deps: Deps, actor: Staff, id: string): Promise<MailRow> {
  const now = deps.now()
  const mail = await findMail(deps.db, id)
  if (!mail) throw new AppError('mail.not_found')
  // A short-lived message keeps its deadline.
  const ends_at = isShortLived(mail) ? mail.ends_at : new Date(now.getTime() + retryPeriodMs).toISOString()
  await deps.db.transaction().execute(async (trx) => {
    const isRepeated = canRepeat(deps, mail) && (await repeatMail(trx, id, now.toISOString(), ends_at))
    if (!isRepeated) throw new AppError('mail.not_repeatable')
    await countMails(deps, trx, mail.letter, [mail.recipient], actor)
    const about = { company: actor.companyId, name: mail.recipient, note: mail.letter }
    await record(deps, trx, [{ action: 'mail.repeated', by: actor, ...about }])
  })
  return toMailRow(deps, { ...mail, state: 'waiting', next_at: now.toISOString(), ends_at, tries: 0, problem: null })
}

export const sweepOutbox = (deps: Deps) => deleteOldMails(deps.db, new Date(deps.now().getTime() - retentionMs).toISOString())

const isShortLived = ({ letter }: OutboxRow) => letter === 'password_reset'

const canRepeat = (deps: Deps, mail: OutboxRow) =>
  ['failed', 'unconfirmed'].includes(mail.state) && !(isShortLived(mail) && mail.ends_at <= deps.now().toISOString())

function toMailRow(deps: Deps, row: OutboxRow): MailRow {
  const { id, letter, recipient, state, created_at, tries, sent_at, problem } = row
  const next_at = state === 'waiting' ? row.next_at : null
  return { id, letter, to: recipient, state, created_at, tries, next_at, sent_at, can_repeat: canRepeat(deps, row), problem }
}
