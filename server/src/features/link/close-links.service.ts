import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { insertEvents } from '../access/access.repo.ts'
import { newEvent } from '../access/access.service.ts'
import { record } from '../audit/audit.service.ts'
import { endUploads, removeEndedUploads } from '../upload/upload-sweep.service.ts'
import { lockUnexpiredLinks, setExpiry } from './close-links.repo.ts'
import { toLinkAuditFields } from './link.service.ts'

/** Small enough that one transaction takes a few milliseconds. */
const sliceSize = 200

/**
 * Closes all links of a user that have not expired: they expire now. A colleague can extend them later. Works in slices, because someone
 * may own a million links. If the call is interrupted, repeating it closes the remaining links.
 */
export async function closeLinks(deps: Deps, actor: Staff, owner: string): Promise<void> {
  for (let count = sliceSize; count === sliceSize; await nextTurn()) {
    const ended = await deps.db.transaction().execute(async (trx) => {
      const now = deps.now().toISOString()
      const links = await lockUnexpiredLinks(trx, owner, now, sliceSize)
      const keys = links.map(({ key }) => key)
      count = keys.length
      if (count === 0) return []
      await setExpiry(trx, keys, now)
      await insertEvents(
        trx,
        keys.map((key) => ({ ...newEvent(deps, key), kind: 'closed', user_id: actor.userId })),
      )
      const uploads = await endUploads(deps, trx, keys)
      await record(
        deps,
        trx,
        links.map((link) => ({ action: 'link.closed', by: actor, ...toLinkAuditFields(link) })),
      )
      return uploads
    })
    await removeEndedUploads(deps, ended)
  }
}
