import { type api, type Language, type LinkRow, normalizeCode, type Parsed } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { normalizeEmail } from '../../lib/email.ts'
import { insertEvent } from '../access/access.repo.ts'
import { newEvent } from '../access/access.service.ts'
import { isCodeOf } from '../access/access-code.ts'
import { describeLinkDetails } from '../access/link-emails.service.ts'
import { rejectStoppedLink } from '../access/link-standing.service.ts'
import { type Entry, record, recordLater, toCallerKey } from '../audit/audit.service.ts'
import { describeDelivery, enqueueMail } from '../outbox/outbox.service.ts'
import { readMailDelivery } from '../settings/mail-server.service.ts'
import { prepareAttempt } from '../throttle/throttle.service.ts'
import { lockLink, updateLink } from './link.repo.ts'
import { getVisibleLink, readLink, toLinkAuditFields } from './link.service.ts'

type Db = Deps['db']

/**
 * Sends the details of a link by email, if the link works. If a code is given, it must be the link's. A wrong one counts as an attempt,
 * because otherwise this call could be used to guess codes.
 */
export async function sendLink(
  deps: Deps,
  actor: Staff,
  address: string,
  { key, accessCode, targetEmail, includeCode, language, message }: Parsed<typeof api.link.email>['body'],
): Promise<{ data: LinkRow; way: 'smtp' | 'files' }> {
  const link = rejectStoppedLink(deps, await getVisibleLink(deps, actor, key))
  if (accessCode && normalizeCode(accessCode) !== '') {
    const attempt = prepareAttempt(deps, { action: 'verify', subject: key, address })
    const isCorrect = isCodeOf(deps.keys, link, accessCode)
    await deps.db.transaction().execute(async (trx) => {
      await attempt.check(trx)
      if (!isCorrect) await attempt.countFailure(trx)
    })
    if (!isCorrect) {
      recordLater(deps, `code ${key} ${toCallerKey(actor)}`, {
        action: 'link.refused',
        by: actor,
        isRefused: true,
        ...toLinkAuditFields(link),
      })
      throw new AppError('link.wrong_code')
    }
  }
  const to = normalizeEmail(targetEmail)
  await deps.db.transaction().execute(async (trx) => {
    await record(deps, trx, [await sendDetails(deps, trx, actor, key, { to, hasCode: includeCode, language, message })])
  })
  return { data: await readLink(deps, actor, key), way: await readMailDelivery(deps) }
}

interface NewDetails {
  to: string
  hasCode: boolean
  language?: Language | undefined
  /** A personal message. */
  message?: string | undefined
}

/** Queues the message with a link's address, and its code if wanted. Returns the audit entry to record. */
export async function sendDetails(
  deps: Deps,
  trx: Db,
  actor: Staff,
  key: string,
  { to, hasCode, language, message }: NewDetails,
): Promise<Entry> {
  const link = await lockLink(trx, key)
  if (!link) throw new AppError('link.not_found')
  // Restarts the waiting time of a link that nobody has opened.
  const waiting_since = link.waiting_since === null ? null : deps.now().toISOString()
  await updateLink(trx, key, { email: to, waiting_since })
  const kind = (await readMailDelivery({ ...deps, db: trx })) === 'files' ? 'code_saved' : 'code_sent'
  if (hasCode) await insertEvent(trx, { ...newEvent(deps, key), kind, user_id: actor.userId, name: to })
  const letter = hasCode ? 'link_details' : 'link_address'
  const about = describeLinkDetails(link, message?.trim() ? { from: actor.name, text: message } : undefined)
  await enqueueMail(deps, trx, { letter, to, about, language, sender: actor })
  return {
    action: hasCode ? 'link.code_sent' : 'link.address_sent',
    by: actor,
    ...toLinkAuditFields(link),
    note: await describeDelivery({ ...deps, db: trx }, `to ${to}`),
  }
}
