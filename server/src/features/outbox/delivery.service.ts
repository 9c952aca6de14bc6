import type { MailRow } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { newId } from '../../lib/secrets.ts'
import { MailError, type MailFailure } from '../../mail/mailer.ts'
import { holdFor } from './mail-limit.service.ts'
import {
  claimDue,
  deleteClaimed,
  findHeld,
  hasDue,
  lockHeld,
  markUnconfirmed,
  type OutboxRow,
  setAbout,
  updateClaimed,
} from './outbox.repo.ts'
import { type Compose, mergeLines, triedForMs } from './outbox.service.ts'

const atOnce = 4
const every = 1000
/** A claim lapses so soon after its holder died; until then it is renewed. */
const claimLasts = 15_000
const claimRenewed = 5_000
const refusalsTaken = 5

/** Sends what is due, for as long as the process lives. */
export function startDelivery(deps: Deps, compose: Compose): { stop: () => Promise<void> } {
  const running = new Set<Promise<void>>()
  let outages = 0
  let pausedUntil = 0
  let looking = Promise.resolve()
  let isStopped = false

  async function look() {
    if (isStopped || performance.now() < pausedUntil) return
    const free = atOnce - running.size
    // One probe for each pause, whatever else is still under way: what hangs must not hold up what could go.
    if (outages > 0) pausedUntil = performance.now() + pauseAfter(outages)
    for (const mail of await claimMails(deps, outages > 0 ? Math.min(1, free) : free)) {
      const task = deliver(deps, compose, mail).then(noteOutage, (err) => deps.log.error({ err }, 'a mail could not be handled'))
      running.add(task)
      void task.finally(() => {
        running.delete(task)
        lookAgain()
      })
    }
  }

  const lookAgain = () => {
    looking = looking.then(look).catch((err) => deps.log.warn({ err }, 'the outbox cannot be read'))
  }

  /** While the mail server is away, one mail at a time is tried, and seldom. */
  function noteOutage(failure: MailFailure | undefined) {
    outages = failure === 'unreachable' ? outages + 1 : 0
    pausedUntil = performance.now() + (outages > 0 ? pauseAfter(outages) : 0)
  }

  const timer = setInterval(lookAgain, every)
  return {
    async stop() {
      isStopped = true
      clearInterval(timer)
      await looking
      await Promise.all(running)
    },
  }
}

/** One round, waited for: what tests and a closing shop need. */
export async function deliverDue(deps: Deps, compose: Compose) {
  const mails = await claimMails(deps, 1000)
  await Promise.all(mails.map((mail) => deliver(deps, compose, mail)))
}

async function claimMails(deps: Deps, limit: number): Promise<OutboxRow[]> {
  const now = deps.now().toISOString()
  if (!(await hasDue(deps.db, now))) return []
  const lost = await markUnconfirmed(deps.db, now, 'Neptune was stopped before the mail server answered.')
  for (const { numUpdatedRows } of lost) if (numUpdatedRows > 0n) warnUnconfirmed(deps)
  return limit > 0 ? claimDue(deps.db, newId(), now, claimEnd(deps), limit) : []
}

/** Tries one mail and writes down how it went. Says what went wrong, if anything. */
async function deliver(deps: Deps, compose: Compose, mail: OutboxRow): Promise<MailFailure | undefined> {
  const held = { ...mail }
  const renewal = setInterval(() => {
    updateClaimed(deps.db, held, { next_at: claimEnd(deps) }).catch((err) =>
      deps.log.warn({ err }, 'a mail’s claim was not renewed'),
    )
  }, claimRenewed)
  try {
    if (mail.ends_at <= deps.now().toISOString()) {
      await settle(deps, held, 'failed', mail.problem ?? 'It could not be sent in time.')
      return undefined
    }
    const letter = await compose(deps, { letter: mail.letter, about: mail.about, to: mail.recipient })
    if (!letter) {
      await deleteClaimed(deps.db, held)
      return undefined
    }
    // A message that was attempted before is counted already. One that was held back once is sent: otherwise others who keep the address at
    // its limit could hold it back for ever. Held messages are merged, so this adds one of each kind an hour.
    const isCounted = mail.tries > 0 || mail.problem === heldBack
    const heldFor = isCounted ? undefined : await holdFor(deps, mail.letter, mail.recipient)
    if (heldFor !== undefined) {
      await holdBack(deps, held, heldFor)
      return undefined
    }
    const { mailFrom: from } = deps.config
    await deps.mailer.send({ ...letter, id: mail.id, from, to: mail.recipient, date: new Date(mail.created_at) }, handOver)
    await updateClaimed(deps.db, held, { ...done, state: 'sent', sent_at: deps.now().toISOString(), tries: mail.tries + 1 })
    return undefined
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    await noteFailure(deps, held, error)
    return error.failure
  } finally {
    clearInterval(renewal)
  }

  /** Written before the message leaves, so that a crash in the very next moment cannot send it twice. */
  async function handOver() {
    const isOurs = await updateClaimed(deps.db, held, { state: 'sending', next_at: claimEnd(deps) })
    if (isOurs) held.state = 'sending'
    return isOurs
  }
}

const heldBack = 'Held back: the address has reached its hourly message limit.'

/**
 * Holds back a message to an address that is over its limit. If one of its kind is held back already, its content is added to
 * that one, so that one message covers everything and nothing piles up.
 */
async function holdBack(deps: Deps, mail: OutboxRow, seconds: number) {
  const now = deps.now()
  const until = now.getTime() + seconds * 1000
  await deps.db.transaction().execute(async (trx) => {
    await lockHeld(trx, mail)
    const other = await findHeld(trx, mail, heldBack)
    const canMerge = other && (mail.letter.startsWith('link_') || other.about === mail.about)
    if (canMerge && (await setAbout(trx, other, mergeLines(other.about, mail.about)))) return deleteClaimed(trx, mail)
    return updateClaimed(trx, mail, {
      next_at: new Date(until).toISOString(),
      ends_at: new Date(until + triedForMs).toISOString(),
      claim: null,
      problem: heldBack,
    })
  })
}

const done = { next_at: null, claim: null, problem: null }

async function noteFailure(deps: Deps, mail: OutboxRow, { failure, message }: MailError) {
  const tries = mail.tries + 1
  deps.log.warn({ mail: mail.id, failure, problem: message, tries }, 'a mail could not be sent')
  if (failure === 'withdrawn') return
  if (failure === 'unconfirmed') {
    warnUnconfirmed(deps)
    return settle(deps, mail, 'unconfirmed', message)
  }
  const refusals = mail.refusals + (failure === 'refused' ? 1 : 0)
  if (refusals >= refusalsTaken) return settle(deps, mail, 'failed', message)
  const wait = failure === 'unreachable' ? pauseAfter(tries) : retryAfter(tries)
  const next_at = new Date(deps.now().getTime() + wait).toISOString()
  await updateClaimed(deps.db, mail, { state: 'waiting', next_at, claim: null, problem: message, tries, refusals })
}

const settle = (deps: Deps, mail: OutboxRow, state: MailRow['state'], problem: string) =>
  updateClaimed(deps.db, mail, { ...done, state, problem, tries: mail.tries + 1 })

const warnUnconfirmed = ({ log }: Deps) =>
  log.warn('a mail may or may not have arrived: it is not sent again unless an administrator says so')

const claimEnd = (deps: Deps) => new Date(deps.now().getTime() + claimLasts).toISOString()

/** 1 s, 2 s, 4 s … half a minute: one knock at a server's door costs nobody anything. */
const pauseAfter = (outages: number) => Math.min(1000 * 2 ** (outages - 1), 30_000)

/** 5 s, 15 s, 45 s … a quarter of an hour: servers that say "later" often mean minutes. */
const retryAfter = (tries: number) => Math.min(5000 * 3 ** (tries - 1), 15 * 60_000)
