import type { Deps } from '../../deps.ts'
import { allCompanies, type Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { insertEvent } from '../access/access.repo.ts'
import { newEvent } from '../access/access.service.ts'
import { forwardNotices } from '../access/link-emails.service.ts'
import type { Entry } from '../audit/audit.service.ts'
import { findLink, setStandings, updateLink } from './link.repo.ts'
import { toLinkAuditFields } from './link.service.ts'

/**
 * Changes a link. Its owner stays the same if they can sign in and have access. Otherwise, the link would still not work, so the caller
 * becomes its owner and gets its notices from now on. Call it inside a transaction, with the link locked. Returns the audit entries for a
 * change of owner.
 */
export async function changeLink(
  deps: Deps,
  trx: Deps['db'],
  actor: Staff,
  key: string,
  changes: Parameters<typeof updateLink>[2],
): Promise<Entry[]> {
  const previous = await findLink(trx, key, allCompanies)
  if (!previous) throw new AppError('link.not_found')
  if (previous.may_share || previous.maker_id === actor.userId) {
    await updateLink(trx, key, changes)
    return []
  }
  await updateLink(trx, key, { ...changes, maker_id: actor.userId })
  await setStandings(trx, [key])
  await forwardNotices(deps, trx, previous)
  await insertEvent(trx, { ...newEvent(deps, key), kind: 'handed_over', user_id: actor.userId, name: actor.name })
  const note = `${previous.owner_name} → ${actor.name}`
  return [{ action: 'link.handed_over', by: actor, ...toLinkAuditFields(previous), note }]
}
