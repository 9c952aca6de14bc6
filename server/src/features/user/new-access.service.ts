import type { CompanyAccess } from '@neptune/contract'
import type { UserRecord } from './user.repo.ts'

/** The access that a user is about to get. If `access` is undefined, they lose all of it, as when they are suspended. */
export interface NewAccess {
  access?: CompanyAccess | undefined
  companies?: string[] | undefined
}

/** Makes a predicate that returns whether a user may no longer see a company with the new access. */
export function createLostAccessCheck(
  { company_id }: Pick<UserRecord, 'company_id'>,
  { access, companies = [] }: NewAccess,
): (companyId: string) => boolean {
  if (access === undefined) return () => true
  if (access === 'all') return () => false
  const kept = new Set([company_id, ...(access === 'selected' ? companies : [])])
  return (companyId) => !kept.has(companyId)
}
