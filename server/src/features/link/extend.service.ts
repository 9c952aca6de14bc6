import { extendableDays, type LinkRow } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { maxLifetimeMs } from '../../lib/expiry.ts'
import { type Entry, record } from '../audit/audit.service.ts'
import { enqueue } from '../outbox/outbox.service.ts'
import { lockLink } from '../visit/link.repo.ts'
import { deleteAskOf, insertEvent } from '../visit/visit.repo.ts'
import { eventOf } from '../visit/visit.service.ts'
import { aboutLink, changeLink, readLink } from './link.service.ts'

/** How much longer a link lives when somebody says so. */
const moreDays = 30
const day = 24 * 60 * 60_000

/**
 * Gives a link thirty more days. The person the link was sent to is notified. Only a link that ends within ninety days can be
 * extended, so that repeating the call can't make it endless. If several calls run in parallel, one extends the link, and the
 * others return the extended link.
 */
export async function extendLink(deps: Deps, actor: Staff, key: string): Promise<LinkRow> {
  const { expiry } = await readLink(deps, actor, key) // also refuses a link that the caller may not see
  mustBeEnding(deps, expiry)
  await deps.db.transaction().execute(async (trx) => {
    const link = await lockLink(trx, key)
    if (!link) throw new AppError('link.not_found')
    if (link.expires_at !== expiry) return // a colleague has already extended it
    await record(deps, trx, [await extend(deps, trx, actor, link)])
  })
  return readLink(deps, actor, key)
}

function mustBeEnding(deps: Deps, expiresAt: string) {
  if (Date.parse(expiresAt) - deps.now().getTime() > extendableDays * day) throw new AppError('link.not_ending')
}

/** Extends a link. Call it in a transaction, with the link locked. Returns the audit entry to record. */
export async function extend(
  deps: Deps,
  trx: Deps['db'],
  actor: Staff,
  link: NonNullable<Awaited<ReturnType<typeof lockLink>>>,
): Promise<Entry> {
  const { key, email } = link
  const expires_at = laterEnd(deps.now().getTime(), Date.parse(link.expires_at))
  await changeLink(deps, trx, actor, link, { expires_at })
  await deleteAskOf(trx, key, 'time')
  await insertEvent(trx, { ...eventOf(deps, key), kind: 'extended', user_id: actor.userId })
  if (email) await enqueue(deps, trx, { letter: 'link_extended', to: email, about: key, sender: actor })
  return { action: 'link.extended', by: actor, ...aboutLink(link), note: `until ${expires_at.slice(0, 10)}` }
}

/** From its end on, or from now if it is over. Never sooner than it was. */
function laterEnd(now: number, end: number): string {
  const later = Math.min(Math.max(now, end) + moreDays * day, now + maxLifetimeMs)
  return new Date(Math.max(end, later)).toISOString()
}
