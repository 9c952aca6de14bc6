import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { limitToCompanies } from '../../db/queries/company-scope.ts'
import type { CompanyScope } from '../../lib/actor.ts'

/** What is about to be deleted, suspended or archived. */
export type AffectedTarget = { files: string[] } | { directory: string } | { owner: string } | { company: string }

/**
 * Returns the links that work now and would stop working with this target, at most `max`. A company also affects the links that its
 * people own in other companies. Every condition on the target starts an index that continues with the expiry.
 */
export async function findAffectedLinks(db: Db, target: AffectedTarget, scope: CompanyScope, now: string, max: number) {
  const links = limitToCompanies(db.selectFrom('link'), 'link.company_id', scope)
    .innerJoin('company', 'company.id', 'link.company_id')
    .innerJoin('user as owner', 'owner.id', 'link.maker_id')
    .select(['link.key', 'link.name', 'link.type', 'company.name as client', 'owner.name as maker'])
    .where('link.expires_at', '>', now)
    .where('link.standing', '=', 'open')
    .orderBy('link.expires_at')
    .limit(max)
  if ('files' in target) return links.where('link.file_id', 'in', ['', ...target.files]).execute()
  if ('directory' in target) return links.where('link.directory_id', '=', target.directory).execute()
  if ('owner' in target) return links.where('link.maker_id', '=', target.owner).execute()
  const { company } = target
  const own = await links.where('link.company_id', '=', company).execute()
  const elsewhere = links.where('owner.company_id', '=', company).where('link.company_id', '<>', company)
  return own.length < max ? [...own, ...(await elsewhere.execute())].slice(0, max) : own
}

/** Returns when each link was last opened, downloaded from or uploaded to. Links that were never used are missing. */
export async function findLastUses(db: Db, keys: string[]): Promise<Map<string, string>> {
  const lastOf = (kind: string) =>
    sql<
      string | null
    >`(select max(link_event.at) from link_event where link_event.link_key = link.key and link_event.kind = ${kind})`
  const rows = await db
    .selectFrom('link')
    .select(['link.key', lastOf('opened').as('opened'), lastOf('downloaded').as('downloaded'), lastOf('uploaded').as('uploaded')])
    .where('link.key', 'in', ['', ...keys])
    .execute()
  const lastUses = rows.map(({ key, opened, downloaded, uploaded }) => {
    const [last] = [opened, downloaded, uploaded].filter((at) => at !== null).toSorted((a, b) => (a < b ? 1 : -1))
    return [key, last] as const
  })
  return new Map(lastUses.flatMap(([key, last]) => (last === undefined ? [] : [[key, last]])))
}
