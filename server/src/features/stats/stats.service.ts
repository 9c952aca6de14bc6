import type { Deps } from '../../deps.ts'
import { getCompanyScope, type Staff } from '../../lib/actor.ts'
import { countDirectories } from '../directory/directory.repo.ts'
import { countLinks } from '../link/link.repo.ts'

/** Returns the dashboard totals. They come from stored counters, so a million files take no longer than ten. */
export async function readStats(deps: Deps, actor: Staff) {
  const { directories, files } = await countDirectories(deps.db, getCompanyScope(actor))
  return { links: await countLinks(deps.db, getCompanyScope(actor)), directories, files }
}
