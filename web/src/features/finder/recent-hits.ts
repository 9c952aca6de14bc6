import { getSession } from '../../api/session-store.ts'
import { personalKeys } from '../../lib/storage/storage-keys.ts'
import type { Hit } from './search-queries.ts'

const key = personalKeys.recent
const maxHits = 6

/** Returns what this user opened in this tab, such as directories and users, newest first. */
export function getRecentHits(): Hit[] {
  const stored = readStored()
  return stored.userId === getCurrentUserId() ? stored.hits : []
}

export function rememberHit(hit: Hit): void {
  const others = getRecentHits().filter(({ kind, id }) => kind !== hit.kind || id !== hit.id)
  try {
    sessionStorage.setItem(key, JSON.stringify({ of: getCurrentUserId(), places: [hit, ...others].slice(0, maxHits) }))
  } catch {
    // Storage is full or blocked: the hit is not remembered.
  }
}

/** Hits are stored per user, because someone else may sign in in the same tab. */
function getCurrentUserId(): string | undefined {
  const session = getSession()
  return session.kind === 'signed-in' ? session.info.id : undefined
}

function readStored(): { userId?: string; hits: Hit[] } {
  try {
    const { of, places } = JSON.parse(sessionStorage.getItem(key) ?? '')
    return { userId: of, hits: Array.isArray(places) ? places : [] }
  } catch {
    return { hits: [] }
  }
}
