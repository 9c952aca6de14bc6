import { type AffectedLinks, type api, maxAffectedLinks, type Parsed } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { getCompanyScope, type Staff } from '../../lib/actor.ts'
import { findCompany } from '../company/company.repo.ts'
import { findDirectory } from '../directory/directory.repo.ts'
import { createLostAccessCheck } from '../user/new-access.service.ts'
import { findUser } from '../user/user.repo.ts'
import { type AffectedTarget, findAffectedLinks, findLastUses } from './affected-links.repo.ts'

/** How many links the reply lists. */
const maxNamed = 5
/** How many links are compared to find the most recently used ones. */
const maxCompared = 200

/**
 * Returns the links that would stop working if the target were deleted, moved, suspended, given less access, or archived. Counts only links
 * that work now and that the caller may see, so a target that the caller may not see looks like one without links.
 */
export async function listAffectedLinks(
  deps: Deps,
  actor: Staff,
  body: Parsed<typeof api.link.affected>['body'],
): Promise<AffectedLinks> {
  const now = deps.now().toISOString()
  const scope = getCompanyScope(actor)
  // The people of a hidden company can own links in companies that the caller may see: filtering the links would not hide it.
  if (body.company !== undefined && !(await findCompany(deps.db, body.company, scope))) return { count: 0, links: [] }
  const found = await findAffectedLinks(deps.db, await toTarget(deps, actor, body), { scope, now, max: maxAffectedLinks })
  const compared = found.slice(0, maxCompared)
  const lastUses = await findLastUses(
    deps.db,
    compared.map(({ key }) => key),
  )
  const links = compared
    .map((link) => ({ ...link, last_used_at: lastUses.get(link.key) ?? null }))
    .toSorted((a, b) => (b.last_used_at ?? '').localeCompare(a.last_used_at ?? ''))
  return { count: found.length, links: links.slice(0, maxNamed) }
}

async function toTarget(
  deps: Deps,
  actor: Staff,
  { files, directories, version, directory, to, owner, company, ...newAccess }: Parsed<typeof api.link.affected>['body'],
): Promise<AffectedTarget> {
  if (to !== undefined) {
    const target = await findDirectory(deps.db, to, getCompanyScope(actor))
    // Nothing can be moved to a directory that the caller may not see.
    const moved = target ? { files: files ?? [], directories: directories ?? [] } : { files: [], directories: [] }
    return { moved: { ...moved, company: target?.company_id ?? '' } }
  }
  if (files !== undefined) return { files }
  if (version !== undefined) return { version }
  if (directory !== undefined) return { directory }
  if (owner === undefined) return { company: company ?? '' }
  const user = await findUser(deps.db, owner)
  // A user who doesn't exist owns no links.
  return { owner, isLost: user ? createLostAccessCheck(user, newAccess) : () => false }
}
