import type { MailRow } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { computeBackoffMs } from '../../lib/backoff.ts'
import type { DeliveryQueue } from '../../lib/concurrency/delivery.ts'
import { newId } from '../../lib/secrets.ts'
import { MailError, type MailFailure } from '../../mail/mailer.ts'
import { readMailServer } from '../settings/mail-server.service.ts'
import { readVersion } from '../settings/settings.service.ts'
import { createMessage } from './create-message.service.ts'
import { canMerge, countOrGetDelay } from './mail-limit.service.ts'
import {
  claimDueMails,
  deleteClaimedMail,
  findHeldMail,
  hasDueMails,
  lockHeldMails,
  markUnconfirmed,
  type OutboxRow,
  setMailAbout,
  updateClaimedMail,
} from './outbox.repo.ts'
import { type Compose, mergeLines, retryPeriodMs } from './outbox.service.ts'

const maxConcurrent = 4
/** How long a claim lasts after its worker has crashed. A running worker renews it. */
const claimDurationMs = 15_000
const claimRenewalMs = 5_000
/** A permanent rejection is retried, too, because mail servers that are being set up return 550 for a while. */
const maxRefusals = 5

/** Creates the queue that sends the outbox. While the mail server is unreachable, pauses get longer, until admins change its settings. */
export function createMailQueue(deps: Deps, compose: Compose): DeliveryQueue<OutboxRow> {
  let outages = 0
  let pausedUntil = 0
  let failedVersion = 0
  return {
    async claim(running) {
      if (outages > 0 && (await readVersion(deps, 'email')) !== failedVersion) outages = pausedUntil = 0
      if (performance.now() < pausedUntil) return []
      const freeSlots = maxConcurrent - running.length
      if (outages === 0) return claimMails(deps, freeSlots)
      // During an outage, attempts one message per pause, even if others are still running: a hanging one must not block the rest.
      pausedUntil = performance.now() + getOutagePauseMs(outages)
      return claimMails(deps, Math.min(1, freeSlots))
    },
    async deliver(mail) {
      const failure = await deliverMail(deps, compose, mail)
      outages = failure === 'unreachable' ? outages + 1 : 0
      if (outages > 0) failedVersion = await readVersion(deps, 'email')
      pausedUntil = performance.now() + getOutagePauseMs(outages)
    },
    onClaimError: (err) => deps.log.warn({ err }, 'could not read the outbox'),
    onDeliveryError: (err) => deps.log.error({ err }, 'could not process a message'),
  }
}

async function claimMails(deps: Deps, limit: number): Promise<OutboxRow[]> {
  const now = deps.now().toISOString()
  if (!(await hasDueMails(deps.db, now))) return []
  const lost = await markUnconfirmed(deps.db, now, 'Neptune was stopped before the mail server answered.')
  for (const { numUpdatedRows } of lost) if (numUpdatedRows > 0n) warnUnconfirmed(deps)
  return limit > 0 ? claimDueMails(deps.db, newId(), now, getClaimExpiry(deps), limit) : []
}

/** Attempts to send a message and stores the result. Returns the failure, if any. */
async function deliverMail(deps: Deps, compose: Compose, mail: OutboxRow): Promise<MailFailure | undefined> {
  const claimed = { ...mail }
  const renewal = setInterval(() => {
    updateClaimedMail(deps.db, claimed, { next_at: getClaimExpiry(deps) }).catch((err) =>
      deps.log.warn({ err }, 'could not renew the claim on a message'),
    )
  }, claimRenewalMs)
  try {
    if (mail.ends_at <= deps.now().toISOString()) {
      await finishMail(deps, claimed, 'failed', mail.problem ?? 'The email couldn’t be sent in time.')
      return undefined
    }
    const draft = await compose(deps, { letter: mail.letter, about: mail.about, to: mail.recipient })
    if (!draft) {
      await deleteClaimedMail(deps.db, claimed)
      return undefined
    }
    // A message that was attempted before is already counted. One that was held back is sent now: otherwise others who keep the
    // address at its limit could hold it back forever. Held messages are merged, so this adds at most one of each kind an hour.
    const isCounted = mail.tries > 0 || [heldBackProblem, oldHeldBackProblem].includes(mail.problem ?? '')
    const delaySeconds = isCounted ? undefined : await countOrGetDelay(deps, mail.letter, mail.recipient)
    if (delaySeconds !== undefined) {
      await holdBack(deps, claimed, delaySeconds)
      return undefined
    }
    const server = await readMailServer(deps)
    await deps.mailer.send(await createMessage(deps, mail, draft), server, confirmClaim)
    await updateClaimedMail(deps.db, claimed, {
      ...finishedFields,
      state: server ? 'sent' : 'saved',
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

  /** Marks the message as `sending`, so that a crash from here on doesn't send it twice. Returns false if another worker has claimed it. */
  async function confirmClaim() {
    const isOurs = await updateClaimedMail(deps.db, claimed, { state: 'sending', next_at: getClaimExpiry(deps) })
    if (isOurs) claimed.state = 'sending'
    return isOurs
  }
}

const heldBackProblem =
  'Held back, because this address has reached its limit of emails per hour. It will be sent when the hour is over.'
/** Stored by earlier versions. */
const oldHeldBackProblem = 'Held back: the address has reached its hourly message limit.'

/**
 * Holds back a message to an address that is over its limit. If one of its kind is held back already, its content is added to
 * that one, so that one message covers everything and nothing piles up.
 */
async function holdBack(deps: Deps, mail: OutboxRow, seconds: number) {
  const now = deps.now()
  const until = now.getTime() + seconds * 1000
  await deps.db.transaction().execute(async (trx) => {
    await lockHeldMails(trx, mail)
    const other = await findHeldMail(trx, mail, heldBackProblem)
    const isCovered = other && (canMerge(mail.letter) || other.about === mail.about)
    if (isCovered && (await setMailAbout(trx, other, mergeLines(other.about, mail.about)))) return deleteClaimedMail(trx, mail)
    return updateClaimedMail(trx, mail, {
      next_at: new Date(until).toISOString(),
      ends_at: new Date(until + retryPeriodMs).toISOString(),
      claim: null,
      problem: heldBackProblem,
    })
  })
}

const finishedFields = { next_at: null, claim: null, problem: null }

async function storeFailure(deps: Deps, mail: OutboxRow, { failure, message }: MailError) {
  const tries = mail.tries + 1
  deps.log.warn({ mail: mail.id, failure, problem: message, tries }, 'could not send a message')
  if (failure === 'withdrawn') return
  if (failure === 'unconfirmed') {
    warnUnconfirmed(deps)
    return finishMail(deps, mail, 'unconfirmed', message)
  }
  const refusals = mail.refusals + (failure === 'refused' ? 1 : 0)
  if (refusals >= maxRefusals) return finishMail(deps, mail, 'failed', message)
  const delayMs = failure === 'unreachable' ? getOutagePauseMs(tries) : getRetryDelayMs(tries)
  const next_at = new Date(deps.now().getTime() + delayMs).toISOString()
  await updateClaimedMail(deps.db, mail, { state: 'waiting', next_at, claim: null, problem: message, tries, refusals })
}

const finishMail = (deps: Deps, mail: OutboxRow, state: MailRow['state'], problem: string) =>
  updateClaimedMail(deps.db, mail, { ...finishedFields, state, problem, tries: mail.tries + 1 })

const warnUnconfirmed = ({ log }: Deps) =>
  log.warn('a message may or may not have arrived: it is not sent again unless an administrator requests it')

const getClaimExpiry = (deps: Deps) => new Date(deps.now().getTime() + claimDurationMs).toISOString()

/** Returns 1 s, 2 s, 4 s … 30 s: connecting to an unreachable server is cheap. */
const getOutagePauseMs = (outages: number) => computeBackoffMs(outages, { firstMs: 1000, maxMs: 30_000 })

/** Returns 5 s, 15 s, 45 s … 15 minutes: servers that defer a message often expect a retry minutes later. */
const getRetryDelayMs = (attempts: number) => computeBackoffMs(attempts, { firstMs: 5000, factor: 3, maxMs: 15 * 60_000 })
