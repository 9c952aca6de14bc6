import type { api, MailRow, Parsed } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { normalizeEmail } from '../../lib/email.ts'
import type { Requested } from '../../lib/scan.ts'
import { newId } from '../../lib/secrets.ts'
import { emails } from '../../mail/letters.ts'
import type { EmailContent } from '../../mail/mailer.ts'
import { record } from '../audit/audit.service.ts'
import { countMails, type Sender } from './mail-limit.service.ts'
import {
  deleteOldMails,
  deleteWaiting,
  findMail,
  findUnsent,
  insertMail,
  listMails,
  type OutboxRow,
  repeatMail,
  setAbout,
} from './outbox.repo.ts'

/**
 * Writes the text of a mail when it is about to leave, so that no secret waits in the database. Undefined when there is nothing to
 * say any more, or nobody to say it to.
 */
export type Compose = (
  deps: Deps,
  mail: { letter: MailRow['letter']; about: string; to: string },
) => Promise<EmailContent | undefined>

type Db = Deps['db']

const hour = 60 * 60_000
export const triedForMs = 48 * hour
const keptFor = 90 * 24 * hour

export interface NewMail {
  letter: MailRow['letter']
  /** Lower case and checked. */
  to: string
  /** What the text is written from: the id of a row. */
  about: string
  /** Not before this. */
  next_at?: string
  /** After this it is of no use. */
  ends_at?: string
  /** Who requests it; undefined if Neptune sends it by itself. */
  sender?: Sender
}

/**
 * Adds a message to the outbox. Call it in the transaction that causes it: the message is sent if, and only if, that commits.
 * Throws `mail.too_many` when the address or the sender is over a limit. Take no other locks after it, except the audit log's.
 */
export async function enqueue(deps: Deps, trx: Db, mail: NewMail): Promise<MailRow> {
  await countMails(deps, trx, mail.letter, [mail.to], mail.sender)
  return insert(deps, trx, mail)
}

/** Adds the same message for several addresses. It counts once for its sender. */
export async function enqueueAll(deps: Deps, trx: Db, to: string[], mail: Omit<NewMail, 'to'>): Promise<void> {
  await countMails(deps, trx, mail.letter, to, mail.sender)
  for (const address of to) await insert(deps, trx, { ...mail, to: address })
}

/**
 * Moves what waiting messages to one address say about a link to another address. A message that is being sent right now may
 * fail, so it is copied instead.
 */
export async function forward(
  trx: Db,
  letters: MailRow['letter'][],
  { from, to, key }: { from: string; to: string; key: string },
): Promise<void> {
  const isAbout = (line: string) => line === key || line.startsWith(`${key} `)
  const waiting = (await findUnsent(trx, letters, to)).flatMap(({ letter, about }) => linesOf(about).map((line) => letter + line))
  for (const mail of await findUnsent(trx, letters, from)) {
    const lines = linesOf(mail.about)
    const moved = lines.filter((line) => isAbout(line) && !waiting.includes(mail.letter + line))
    const rest = lines.filter((line) => !isAbout(line))
    await (rest.length > 0 ? setAbout(trx, mail, rest.join('\n')) : deleteWaiting(trx, mail))
    if (moved.length === 0) continue
    const fresh = { id: newId(), recipient: to, state: 'waiting' as const, claim: null, tries: 0, refusals: 0 }
    await insertMail(trx, { ...mail, ...fresh, about: moved.join('\n') })
  }
}

const linesOf = (about: string) => about.split('\n').filter((line) => line !== '')

/** Adds what one message is about to another. Sorted, so that of the lines about one link the earliest comes first. */
export const mergeLines = (a: string, b: string) => [...new Set([...linesOf(a), ...linesOf(b)])].sort().join('\n')

async function insert(deps: Deps, trx: Db, { letter, to, about, next_at, ends_at }: NewMail): Promise<MailRow> {
  const now = deps.now()
  const row = {
    id: newId(),
    letter,
    recipient: to,
    about,
    state: 'waiting' as const,
    created_at: now.toISOString(),
    ends_at: ends_at ?? new Date((next_at ? Date.parse(next_at) : now.getTime()) + triedForMs).toISOString(),
    tries: 0,
    refusals: 0,
    next_at: next_at ?? now.toISOString(),
    claim: null,
    sent_at: null,
    problem: null,
  }
  await insertMail(trx, row)
  return toMailRow(deps, row)
}

export async function listOutbox(
  deps: Deps,
  { sort = '-created_at', ...query }: Parsed<typeof api.mail.list>['query'] & Requested,
) {
  const { rows, next } = await listMails(deps.db, { ...query, sort })
  return { data: rows.map((row) => toMailRow(deps, row)), next, way: deps.mailer.way }
}

export async function sendTestMail(deps: Deps, actor: Staff, email: string): Promise<MailRow> {
  const to = normalizeEmail(email)
  return deps.db.transaction().execute(async (trx) => {
    const mail = await enqueue(deps, trx, { letter: 'test', to, about: actor.userId, sender: actor })
    await record(deps, trx, [{ action: 'mail.tested', by: actor, company: actor.companyId, name: to }])
    return mail
  })
}

export const composeTest: Compose = async ({ config }) => emails.test(config)

export async function sendAgain(deps: Deps, actor: Staff, id: string): Promise<MailRow> {
  const now = deps.now()
  const mail = await findMail(deps.db, id)
  if (!mail) throw new AppError('mail.not_found')
  // What is of use for a while only is not of use for longer because it failed.
  const ends_at = isShortLived(mail) ? mail.ends_at : new Date(now.getTime() + triedForMs).toISOString()
  await deps.db.transaction().execute(async (trx) => {
    const isRepeated = canRepeat(deps, mail) && (await repeatMail(trx, id, now.toISOString(), ends_at))
    if (!isRepeated) throw new AppError('mail.not_repeatable')
    await countMails(deps, trx, mail.letter, [mail.recipient], actor)
    const about = { company: actor.companyId, name: mail.recipient, note: mail.letter }
    await record(deps, trx, [{ action: 'mail.repeated', by: actor, ...about }])
  })
  return toMailRow(deps, { ...mail, state: 'waiting', next_at: now.toISOString(), ends_at, tries: 0, problem: null })
}

export const sweepOutbox = (deps: Deps) => deleteOldMails(deps.db, new Date(deps.now().getTime() - keptFor).toISOString())

const isShortLived = ({ letter }: OutboxRow) => letter === 'password_reset'

const canRepeat = (deps: Deps, mail: OutboxRow) =>
  ['failed', 'unconfirmed'].includes(mail.state) && !(isShortLived(mail) && mail.ends_at <= deps.now().toISOString())

function toMailRow(deps: Deps, row: OutboxRow): MailRow {
  const { id, letter, recipient, state, created_at, tries, sent_at, problem } = row
  const next_at = state === 'waiting' ? row.next_at : null
  return { id, letter, to: recipient, state, created_at, tries, next_at, sent_at, can_repeat: canRepeat(deps, row), problem }
}
