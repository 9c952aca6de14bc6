import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { limitToCompanies } from '../../db/queries/company-scope.ts'
import type { CompanyScope } from '../../lib/actor.ts'

/** What is about to be deleted, suspended or archived. */
export type AffectedTarget = { files: string[] } | { directory: string } | { owner: string } | { company: string }

/**
 * Returns the links that work now and would stop working with this target, at most `max`. The target finds them, and only then the scope
 * limits them: otherwise a database could search all links of the caller's company for those of one file.
 */
export async function findAffectedLinks(db: Db, target: AffectedTarget, scope: CompanyScope, now: string, max: number) {
  const keys = await findAffectedKeys(db, target, now, max)
  return limitToCompanies(db.selectFrom('link'), 'link.company_id', scope)
    .innerJoin('company', 'company.id', 'link.company_id')
    .innerJoin('user as owner', 'owner.id', 'link.maker_id')
    .select(['link.key', 'link.name', 'link.type', 'company.name as client', 'owner.name as maker'])
    .where('link.key', 'in', ['', ...keys])
    .execute()
}

/** Each condition on a target starts an index. A company also affects the links that its people own in other companies. */
async function findAffectedKeys(db: Db, target: AffectedTarget, now: string, max: number): Promise<string[]> {
  const working = db.selectFrom('link').select('key').where('expires_at', '>', now).where('standing', '=', 'open').limit(max)
  const read = async (links: typeof working) => (await links.execute()).map(({ key }) => key)
  if ('files' in target) return read(working.where('file_id', 'in', target.files))
  if ('directory' in target) return read(working.where('directory_id', '=', target.directory))
  if ('owner' in target) return read(working.where('maker_id', '=', target.owner))
  const { company } = target
  const own = await read(working.where('company_id', '=', company))
  if (own.length === max) return own
  const people = db.selectFrom('user').select('id').where('company_id', '=', company)
  const elsewhere = await read(working.where('maker_id', 'in', people).where('company_id', '<>', company))
  return [...own, ...elsewhere].slice(0, max)
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
