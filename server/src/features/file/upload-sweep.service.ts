import type { Deps } from '../../deps.ts'
import { isUnfinished } from './check.repo.ts'
import { rethrow } from './file.service.ts'
import { holdUpload } from './hold.service.ts'
import { deleteUpload, listEnded } from './upload.repo.ts'

const sweptAtOnce = 500

/** Unless it became a file before it could be held: that stays one. */
export const throwAway = (deps: Deps, id: string) =>
  holdUpload(deps, id, async () => {
    if (await isUnfinished(deps.db, id)) await deps.blobs.discard(id).catch(rethrow)
    await deleteUpload(deps.db, id)
  })

/** What nobody came back for in time, and those that became files long ago: as many as one sweep takes. */
export const listEndedUploads = (deps: Deps) => listEnded(deps.db, deps.now().toISOString(), sweptAtOnce)

/** Throws away what nobody came back for. */
export async function sweepUploads(deps: Deps): Promise<void> {
  for (const { id, finished_at } of await listEndedUploads(deps)) {
    try {
      await (finished_at ? deleteUpload(deps.db, id) : throwAway(deps, id))
    } catch (err) {
      deps.log.error({ err, upload: id }, 'an upload could not be swept away') // and the others can
    }
  }
}
