import type { LinkRow } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { getCompanyScope, type Staff } from '../../lib/actor.ts'
import type { Requester } from '../../lib/concurrency/scan.ts'
import { expiringMs, toLinkRows } from './link.service.ts'
import { listUnopenedLinks } from './unopened-links.repo.ts'

const dayMs = 24 * 60 * 60_000
/** How long recipients usually take to open a link. */
const minUnopenedDays = 3
/** After this long, a reminder no longer helps. */
const maxUnopenedDays = 30

/**
 * Lists links that were created or last sent more than three days ago, but not more than thirty, and that nobody has opened. Leaves out
 * those that are about to expire, which have a list of their own.
 */
export async function listLinksNobodyOpened(
  deps: Deps,
  actor: Staff,
  limit: number,
  requester: Requester,
): Promise<{ link: LinkRow; since: string }[]> {
  const now = deps.now()
  const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs).toISOString()
  const expiresAfter = new Date(now.getTime() + expiringMs).toISOString()
  const request = { limit, requester, expiresAfter, from: daysAgo(maxUnopenedDays), to: daysAgo(minUnopenedDays) }
  const { rows } = await listUnopenedLinks(deps.db, request, getCompanyScope(actor))
  const links = await toLinkRows(deps, actor, rows)
  return links.map((link, index) => ({ link, since: rows[index]?.waiting_since ?? link.date_created }))
}
