import type { LinkRow } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Entry, record } from '../audit/audit.service.ts'
import { enqueue } from '../outbox/outbox.service.ts'
import { lockLink, updateLink } from '../visit/link.repo.ts'
import { insertEvent } from '../visit/visit.repo.ts'
import { eventOf } from '../visit/visit.service.ts'
import { aboutLink, readLink, takenOver } from './link.service.ts'

/** How much longer a link lives when somebody says so. */
const moreDays = 30
const day = 24 * 60 * 60_000

/** Thirty more days, without anybody having asked. Whoever the link was sent to is told. */
export async function extendLink(deps: Deps, actor: Staff, key: string): Promise<LinkRow> {
  await readLink(deps, actor, key) // what one may not see is not there
  await deps.db.transaction().execute(async (trx) => {
    const link = await lockLink(trx, key)
    if (!link) throw new AppError('link.not_found')
    await record(deps, trx, [await extend(deps, trx, actor, link)])
  })
  return readLink(deps, actor, key)
}

/** To be called in a transaction, with the link locked. From its end on, or from now if it is over. Returns what is to be recorded. */
export async function extend(
  deps: Deps,
  trx: Deps['db'],
  actor: Staff,
  link: NonNullable<Awaited<ReturnType<typeof lockLink>>>,
): Promise<Entry> {
  const { key, email } = link
  const expires_at = new Date(Math.max(deps.now().getTime(), Date.parse(link.expires_at)) + moreDays * day).toISOString()
  await updateLink(trx, key, { expires_at, ...takenOver(link, actor) })
  await insertEvent(trx, { ...eventOf(deps, key), kind: 'extended', user_id: actor.userId })
  if (email) await enqueue(deps, trx, { letter: 'link_extended', to: email, about: key })
  return { action: 'link.extended', by: actor, ...aboutLink(link), note: `until ${expires_at.slice(0, 10)}` }
}
