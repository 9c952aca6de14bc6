import type { MailRow } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { backoffMs } from '../../lib/backoff.ts'
import { newId } from '../../lib/secrets.ts'
import { MailError, type MailFailure } from '../../mail/mailer.ts'
import { countOrDelay } from './mail-limit.service.ts'
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
import { type Compose, mergeLines, retryPeriodMs } from './outbox.service.ts'

const maxConcurrent = 4
const pollIntervalMs = 1000
/** How long a claim lasts after its worker has crashed. A running worker renews it. */
const claimDurationMs = 15_000
const claimRenewalMs = 5_000
const maxRefusals = 5

/** Sends due messages until it is stopped. */
export function startDelivery(deps: Deps, compose: Compose): { stop: () => Promise<void> } {
  const running = new Set<Promise<void>>()
  let outages = 0
  let pausedUntil = 0
  let polling = Promise.resolve()
  let isStopped = false

  async function poll() {
    if (isStopped || performance.now() < pausedUntil) return
    const freeSlots = maxConcurrent - running.size
    // During an outage, attempts one message per pause, even if others are still running: a hanging one must not block the rest.
    if (outages > 0) pausedUntil = performance.now() + outagePauseMs(outages)
    for (const mail of await claimMails(deps, outages > 0 ? Math.min(1, freeSlots) : freeSlots)) {
      const task = deliver(deps, compose, mail).then(trackOutage, (err) => deps.log.error({ err }, 'could not process a message'))
      running.add(task)
      void task.finally(() => {
        running.delete(task)
        schedulePoll()
      })
    }
  }

  const schedulePoll = () => {
    polling = polling.then(poll).catch((err) => deps.log.warn({ err }, 'could not read the outbox'))
  }

  /** While the mail server is unreachable, attempts become rare. */
  function trackOutage(failure: MailFailure | undefined) {
    outages = failure === 'unreachable' ? outages + 1 : 0
    pausedUntil = performance.now() + (outages > 0 ? outagePauseMs(outages) : 0)
  }

  const timer = setInterval(schedulePoll, pollIntervalMs)
  return {
    async stop() {
      isStopped = true
      clearInterval(timer)
      await polling
      await Promise.all(running)
    },
  }
}

/** Sends the messages that are due now, and waits for them. Used by tests and on shutdown. */
export async function deliverDue(deps: Deps, compose: Compose) {
  const mails = await claimMails(deps, 1000)
  await Promise.all(mails.map((mail) => deliver(deps, compose, mail)))
}

async function claimMails(deps: Deps, limit: number): Promise<OutboxRow[]> {
  const now = deps.now().toISOString()
  if (!(await hasDue(deps.db, now))) return []
  const lost = await markUnconfirmed(deps.db, now, 'Neptune was stopped before the mail server answered.')
  for (const { numUpdatedRows } of lost) if (numUpdatedRows > 0n) warnUnconfirmed(deps)
  return limit > 0 ? claimDue(deps.db, newId(), now, claimExpiry(deps), limit) : []
}

/** Attempts to send a message and stores the result. Returns the failure, if any. */
async function deliver(deps: Deps, compose: Compose, mail: OutboxRow): Promise<MailFailure | undefined> {
  const claimed = { ...mail }
  const renewal = setInterval(() => {
    updateClaimed(deps.db, claimed, { next_at: claimExpiry(deps) }).catch((err) =>
      deps.log.warn({ err }, 'could not renew the claim on a message'),
    )
  }, claimRenewalMs)
  try {
    if (mail.ends_at <= deps.now().toISOString()) {
      await finish(deps, claimed, 'failed', mail.problem ?? 'It could not be sent in time.')
      return undefined
    }
    const content = await compose(deps, { letter: mail.letter, about: mail.about, to: mail.recipient })
    if (!content) {
      await deleteClaimed(deps.db, claimed)
      return undefined
    }
    // A message that was attempted before is already counted. One that was held back is sent now: otherwise others who keep the
    // address at its limit could hold it back forever. Held messages are merged, so this adds at most one of each kind an hour.
    const isCounted = mail.tries > 0 || mail.problem === heldBack
    const delaySeconds = isCounted ? undefined : await countOrDelay(deps, mail.letter, mail.recipient)
    if (delaySeconds !== undefined) {
      await holdBack(deps, claimed, delaySeconds)
      return undefined
    }
    const { mailFrom: from } = deps.config
    await deps.mailer.send({ ...content, id: mail.id, from, to: mail.recipient, date: new Date(mail.created_at) }, handOver)
    await updateClaimed(deps.db, claimed, {
      ...finished,
      state: 'sent',
      sent_at: deps.now().toISOString(),
      tries: mail.tries + 1,
    })
    return undefined
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    await storeFailure(deps, claimed, error)
    return error.failure
  } finally {
    clearInterval(renewal)
  }

  /** Marks the message as `sending` before it is sent, so that it isn't sent twice if this process crashes. */
  async function handOver() {
    const isOurs = await updateClaimed(deps.db, claimed, { state: 'sending', next_at: claimExpiry(deps) })
    if (isOurs) claimed.state = 'sending'
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
      ends_at: new Date(until + retryPeriodMs).toISOString(),
      claim: null,
      problem: heldBack,
    })
  })
}

const finished = { next_at: null, claim: null, problem: null }

async function storeFailure(deps: Deps, mail: OutboxRow, { failure, message }: MailError) {
  const tries = mail.tries + 1
  deps.log.warn({ mail: mail.id, failure, problem: message, tries }, 'could not send a message')
  if (failure === 'withdrawn') return
  if (failure === 'unconfirmed') {
    warnUnconfirmed(deps)
    return finish(deps, mail, 'unconfirmed', message)
  }
  const refusals = mail.refusals + (failure === 'refused' ? 1 : 0)
  if (refusals >= maxRefusals) return finish(deps, mail, 'failed', message)
  const delayMs = failure === 'unreachable' ? outagePauseMs(tries) : retryDelayMs(tries)
  const next_at = new Date(deps.now().getTime() + delayMs).toISOString()
  await updateClaimed(deps.db, mail, { state: 'waiting', next_at, claim: null, problem: message, tries, refusals })
}

const finish = (deps: Deps, mail: OutboxRow, state: MailRow['state'], problem: string) =>
  updateClaimed(deps.db, mail, { ...finished, state, problem, tries: mail.tries + 1 })

const warnUnconfirmed = ({ log }: Deps) =>
  log.warn('a message may or may not have arrived: it is not sent again unless an administrator requests it')

const claimExpiry = (deps: Deps) => new Date(deps.now().getTime() + claimDurationMs).toISOString()

/** Returns 1 s, 2 s, 4 s … 30 s: connecting to an unreachable server is cheap. */
const outagePauseMs = (outages: number) => backoffMs(outages, { firstMs: 1000, maxMs: 30_000 })

/** Returns 5 s, 15 s, 45 s … 15 minutes: servers that defer a message often expect a retry minutes later. */
const retryDelayMs = (tries: number) => backoffMs(tries, { firstMs: 5000, factor: 3, maxMs: 15 * 60_000 })
