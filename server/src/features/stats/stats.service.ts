import type { Deps } from '../../deps.ts'
import { type Staff, visibleCompany } from '../../lib/actor.ts'
import { countDirectories } from '../directory/directory.repo.ts'
import { countLinks } from '../visit/link.repo.ts'

/** From counters that are kept, not from counting: it takes as long for a million files as for ten. */
export async function readStats(deps: Deps, actor: Staff) {
  const { directories, files } = await countDirectories(deps.db, visibleCompany(actor))
  return { links: await countLinks(deps.db, visibleCompany(actor)), directories, files }
}
