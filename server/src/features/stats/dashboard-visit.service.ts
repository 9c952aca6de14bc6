import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { setVisit, type UserRecord } from '../user/user.repo.ts'

/**
 * A visit ends when the dashboard hasn't been loaded for this long. Until then, news stays new, even after a reload and in another browser.
 */
const visitGapMs = 30 * 60_000
/** How often the end of a visit is updated. */
const seenIntervalMs = 60_000

/**
 * Returns since when news is new to the user: the end of their previous visit to the dashboard or, if this is the first
 * one, when their account was created. Remembers this visit, unless a script reads the dashboard with an API token. If the
 * database is read-only, the visit isn't remembered.
 */
export async function recordDashboardVisit({ db, log, now }: Deps, actor: Staff, user: UserRecord): Promise<string> {
  const idleMs = user.visited_at === null ? Number.POSITIVE_INFINITY : now().getTime() - Date.parse(user.visited_at)
  const news_since = idleMs > visitGapMs ? user.visited_at : user.news_since
  const newSince = news_since ?? user.created_at
  if (actor.token || idleMs <= seenIntervalMs) return newSince
  await setVisit(db, user.id, { visited_at: now().toISOString(), news_since }).catch((err) =>
    log.warn({ err }, 'could not remember a visit to the dashboard'),
  )
  return newSince
}
