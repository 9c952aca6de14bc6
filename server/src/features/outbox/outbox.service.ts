import type { api, MailRow, Parsed } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { normalEmail } from '../../lib/email.ts'
import { newId } from '../../lib/secrets.ts'
import { letters } from '../../mail/letters.ts'
import type { Letter } from '../../mail/mailer.ts'
import { countUses } from '../throttle/throttle.service.ts'
import { deleteOldMails, findMail, insertMail, listMails, type OutboxRow, repeatMail } from './outbox.repo.ts'

/**
 * Writes the text of a mail when it is about to leave, so that no secret waits in the database. `over` when there is nothing to say
 * any more, `nobody` when there is nobody to say it to.
 */
export type Compose = (
  deps: Deps,
  mail: { letter: MailRow['letter']; about: string; to: string },
) => Promise<Letter | 'over' | 'nobody'>

type Db = Deps['db']

const hour = 60 * 60_000
const triedFor = 48 * hour
const keptFor = 90 * 24 * hour

export interface NewMail {
  letter: MailRow['letter']
  /** Lower case and checked. */
  to: string
  /** What the text is written from: the id of a row. */
  about: string
  /** After this it is of no use. */
  ends_at?: string
}

/** To be called in the transaction that is the cause: the mail is sent if, and only if, that took place. */
export async function enqueue(deps: Deps, trx: Db, { letter, to, about, ends_at }: NewMail): Promise<MailRow> {
  const now = deps.now()
  const row = {
    id: newId(),
    letter,
    recipient: to,
    about,
    state: 'waiting' as const,
    created_at: now.toISOString(),
    ends_at: ends_at ?? new Date(now.getTime() + triedFor).toISOString(),
    tries: 0,
    next_at: now.toISOString(),
    claim: null,
    sent_at: null,
    problem: null,
  }
  await insertMail(trx, row)
  return toMailRow(row)
}

/** Nobody writes to people by the hundred through us, whether they mean to or not. */
const countMail = (deps: Deps, actor: Staff, to: string) =>
  countUses(deps, 'mail.too_many', [
    { of: ['mail', 'user', actor.userId], limit: 20, window: hour },
    { of: ['mail', 'to', to], limit: 5, window: hour },
    { of: ['mail', 'company', actor.companyId], limit: 200, window: 24 * hour },
  ])

/** False when this address has had enough for now. For mails that strangers can cause. */
export async function mayWriteTo(deps: Deps, to: string): Promise<boolean> {
  try {
    await countUses(deps, 'mail.too_many', [{ of: ['mail', 'to', to], limit: 5, window: hour }])
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'mail.too_many') return false
    throw error
  }
}

export async function listOutbox(deps: Deps, { sort = '-created_at', ...query }: Parsed<typeof api.mail.list>['query']) {
  const { rows, next } = await listMails(deps.db, { ...query, sort })
  return { data: rows.map(toMailRow), next, way: deps.mailer.way }
}

export async function sendTestMail(deps: Deps, actor: Staff, email: string): Promise<MailRow> {
  const to = normalEmail(email)
  await countMail(deps, actor, to)
  return enqueue(deps, deps.db, { letter: 'test', to, about: actor.userId })
}

export const composeTest: Compose = async ({ config }) => letters.test(config)

export async function sendAgain(deps: Deps, id: string): Promise<MailRow> {
  const now = deps.now()
  const isRepeated = await repeatMail(deps.db, id, now.toISOString(), new Date(now.getTime() + triedFor).toISOString())
  const row = await findMail(deps.db, id)
  if (!row) throw new AppError('mail.not_found')
  if (!isRepeated) throw new AppError('mail.not_repeatable')
  return toMailRow(row)
}

export const sweepOutbox = (deps: Deps) => deleteOldMails(deps.db, new Date(deps.now().getTime() - keptFor).toISOString())

function toMailRow({ recipient, next_at, ...row }: OutboxRow): MailRow {
  const { id, letter, state, created_at, tries, sent_at, problem } = row
  return { id, letter, to: recipient, state, created_at, tries, next_at: state === 'waiting' ? next_at : null, sent_at, problem }
}
