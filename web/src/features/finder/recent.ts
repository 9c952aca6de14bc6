import { getSession } from '../../api/session-store.ts'
import { personal } from '../../lib/personal.ts'
import type { Hit } from './find-queries.ts'

const key = personal.recent
const most = 6

/** Where this person was last in this tab, the last first. */
export function recentPlaces(): Hit[] {
  const kept = read()
  return kept.of === whoami() ? kept.places : []
}

export function rememberPlace(place: Hit): void {
  const others = recentPlaces().filter(({ kind, id }) => kind !== place.kind || id !== place.id)
  try {
    sessionStorage.setItem(key, JSON.stringify({ of: whoami(), places: [place, ...others].slice(0, most) }))
  } catch {
    // Storage is full or forbidden: nothing is remembered.
  }
}

/** Somebody else may have signed in in this tab. */
function whoami(): string | undefined {
  const session = getSession()
  return session.kind === 'signed-in' ? session.info.id : undefined
}

function read(): { of?: string; places: Hit[] } {
  try {
    const { of, places } = JSON.parse(sessionStorage.getItem(key) ?? '')
    return { of, places: Array.isArray(places) ? places : [] }
  } catch {
    return { places: [] }
  }
}
