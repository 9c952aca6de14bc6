import { getSession } from '../../api/session-store.ts'
import { personalKeys } from '../../lib/storage/storage-keys.ts'
import type { Hit } from './search-queries.ts'

const key = personalKeys.recent
const maxPlaces = 6

/** Returns the places that this user opened in this tab, such as directories and users, newest first. */
export function getRecentPlaces(): Hit[] {
  const stored = readStored()
  return stored.userId === getCurrentUserId() ? stored.places : []
}

export function rememberPlace(place: Hit): void {
  const others = getRecentPlaces().filter(({ kind, id }) => kind !== place.kind || id !== place.id)
  try {
    sessionStorage.setItem(key, JSON.stringify({ of: getCurrentUserId(), places: [place, ...others].slice(0, maxPlaces) }))
  } catch {
    // Storage is full or blocked: the place is not remembered.
  }
}

/** Places are stored per user, because someone else may sign in in the same tab. */
function getCurrentUserId(): string | undefined {
  const session = getSession()
  return session.kind === 'signed-in' ? session.info.id : undefined
}

function readStored(): { userId?: string; places: Hit[] } {
  try {
    const { of, places } = JSON.parse(sessionStorage.getItem(key) ?? '')
    return { userId: of, places: Array.isArray(places) ? places : [] }
  } catch {
    return { places: [] }
  }
}
