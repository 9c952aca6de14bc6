import { extendableDays, type LinkRow } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { longest } from '../../lib/expiry.ts'
import { type Entry, record } from '../audit/audit.service.ts'
import { countMail, enqueue } from '../outbox/outbox.service.ts'
import { lockLink } from '../visit/link.repo.ts'
import { insertEvent } from '../visit/visit.repo.ts'
import { eventOf } from '../visit/visit.service.ts'
import { aboutLink, changeLink, readLink } from './link.service.ts'

/** How much longer a link lives when somebody says so. */
const moreDays = 30
const day = 24 * 60 * 60_000

/**
 * Thirty more days, without anybody having asked. Whoever the link was sent to is told, so it is counted like every mail; and only a link that
 * ends within ninety days gets them, or pressing again and again would make it endless. Of several who give it in the same moment one does,
 * and the others see what it has now.
 */
export async function extendLink(deps: Deps, actor: Staff, key: string): Promise<LinkRow> {
  const { expiry, email } = await readLink(deps, actor, key) // what one may not see is not there
  mustBeEnding(deps, expiry)
  const mail = email === null ? undefined : await countMail(deps, actor, email)
  try {
    const isMine = await deps.db.transaction().execute(async (trx) => {
      const link = await lockLink(trx, key)
      if (!link) throw new AppError('link.not_found')
      if (link.expires_at !== expiry) return false // a colleague was faster
      await record(deps, trx, [await extend(deps, trx, actor, link)])
      return true
    })
    if (!isMine) await mail?.takeBack()
  } catch (error) {
    if (error instanceof AppError) await mail?.takeBack() // refused: nothing is sent
    throw error
  }
  return readLink(deps, actor, key)
}

function mustBeEnding(deps: Deps, expiresAt: string) {
  if (Date.parse(expiresAt) - deps.now().getTime() > extendableDays * day) throw new AppError('link.not_ending')
}

/** To be called in a transaction, with the link locked. Returns what is to be recorded. */
export async function extend(
  deps: Deps,
  trx: Deps['db'],
  actor: Staff,
  link: NonNullable<Awaited<ReturnType<typeof lockLink>>>,
): Promise<Entry> {
  const { key, email } = link
  const expires_at = laterEnd(deps.now().getTime(), Date.parse(link.expires_at))
  await changeLink(deps, trx, actor, link, { expires_at })
  await insertEvent(trx, { ...eventOf(deps, key), kind: 'extended', user_id: actor.userId })
  if (email) await enqueue(deps, trx, { letter: 'link_extended', to: email, about: key })
  return { action: 'link.extended', by: actor, ...aboutLink(link), note: `until ${expires_at.slice(0, 10)}` }
}

/** From its end on, or from now if it is over. Never sooner than it was. */
function laterEnd(now: number, end: number): string {
  const later = Math.min(Math.max(now, end) + moreDays * day, now + longest)
  return new Date(Math.max(end, later)).toISOString()
}
