import type { Visit } from '../../api/visit.ts'
import { startUploads } from './start-uploads.ts'
import type { Transfers } from './transfers.ts'

const known = new Map<Visit, Transfers>()

/** The uploads of a recipient. They belong to the link: one that closes stops them, and they go on once its code is entered again. */
export function recipientUploads(visit: Visit, accessKey: string): Transfers {
  const uploads = known.get(visit)
  if (uploads) return uploads
  const started = startUploads(visit)
  const follow = () => {
    const isInside = visit.read().kind === 'inside'
    if (!isInside) started.clearFinished() // they are of the visit that has ended, like their receipt
    started.attend(isInside ? `link ${accessKey}` : undefined)
  }
  known.set(visit, started)
  visit.subscribe(follow)
  follow()
  return started
}
