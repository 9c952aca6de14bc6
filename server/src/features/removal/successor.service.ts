import { setImmediate as nextTurn } from 'node:timers/promises'
import type { api, Parsed, Successor } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { allCompanies } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import type { WithRequester } from '../../lib/concurrency/scan.ts'
import { findOwner } from '../link/handover.repo.ts'
import { createLostAccessCheck } from '../user/new-access.service.ts'
import { maySignIn } from '../user/user.service.ts'
import { listUsers } from '../user/user-list.repo.ts'
import { findLinkCompany, listLinkCompanies, listMissingAccess } from './removal.repo.ts'

/** Small enough that one query takes a few milliseconds. */
const linkSliceSize = 2000
const companySliceSize = 200

/**
 * Lists all other users. `reason` says why they can't take over the user's links, and is null if they can. With `link`, it is only
 * about that link. With a new access, it is only about links of companies that the user would lose. Also works for a user who was already
 * removed.
 */
export async function listSuccessors(
  deps: Deps,
  id: string,
  { link, ...newAccess }: Parsed<typeof api.user.successors>['body'],
  query: Parsed<typeof api.user.successors>['query'] & WithRequester,
): Promise<{ data: Successor[]; next: string | null }> {
  const owner = await findOwner(deps.db, id)
  if (!owner) throw new AppError('user.not_found')
  const { rows, next } = await listUsers(deps.db, { ...query, sort: query.sort ?? 'name' }, allCompanies)
  const others = rows.filter((user) => user.id !== id)
  const active = others.filter(maySignIn).map((user) => user.id)
  const companies = (await listCompaniesOfLinks(deps, id, link)).filter(createLostAccessCheck(owner, newAccess))
  const missing = await findMissingAccess(deps, active, companies)
  const data = others.map((user): Successor => {
    const { id, name, email, company_name } = user
    const missing_company = missing.get(id) ?? null
    return { id, name, email, company_name, reason: findReason(user, missing_company), missing_company }
  })
  return { data, next }
}

function findReason(user: Parameters<typeof maySignIn>[0], missingCompany: string | null): Successor['reason'] {
  if (maySignIn(user)) return missingCompany === null ? null : 'no_access'
  return user.invitation_id !== null && user.suspended_at === null && user.company_archived_at === null ? 'invited' : 'suspended'
}

/** Returns the companies of all links of a user, or of the given one. A link that they don't own has none. */
async function listCompaniesOfLinks(deps: Deps, id: string, key: string | undefined): Promise<string[]> {
  if (key !== undefined) {
    const company = await findLinkCompany(deps.db, id, key)
    return company === undefined ? [] : [company]
  }
  const found = new Set<string>()
  for (let after: { expires_at: string; key: string } | undefined = { expires_at: '', key: '' }; after; await nextTurn()) {
    const slice = await listLinkCompanies(deps.db, id, after, linkSliceSize)
    for (const company of slice.companies) found.add(company)
    after = slice.last
  }
  return [...found]
}

/** Returns, for each user without access to all of the companies, the name of a company that they have no access to. */
async function findMissingAccess(deps: Deps, users: string[], companies: string[]): Promise<Map<string, string>> {
  const missing = new Map<string, string>()
  for (let at = 0; at < companies.length; at += companySliceSize) {
    const undecided = users.filter((user) => !missing.has(user))
    if (undecided.length === 0) break
    for (const { id, company } of await listMissingAccess(deps.db, undecided, companies.slice(at, at + companySliceSize)))
      missing.set(id, company)
    await nextTurn()
  }
  return missing
}
