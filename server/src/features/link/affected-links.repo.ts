import { setImmediate as nextTurn } from 'node:timers/promises'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { hasAccess, isInScope, limitToCompanies } from '../../db/queries/company-scope.ts'
import { selectSharedFiles, sharesSeveral } from '../../db/queries/link-files.ts'
import { selectLiveSubtree } from '../../db/queries/tree.ts'
import type { Schema } from '../../db/schema.ts'
import type { CompanyScope } from '../../lib/actor.ts'

/**
 * What is about to change: files, a version or a directory to delete, files and folders to move, an owner to suspend or to give less
 * access, or a company to archive. `isLost` returns whether the owner may no longer see a company.
 */
export type AffectedTarget =
  | { files: string[] }
  | { version: { file: string; id: string } }
  | { directory: string }
  /** Files and folders to move to another company. */
  | { moved: { files: string[]; directories: string[]; company: string } }
  | { owner: string; isLost: (companyId: string) => boolean }
  | { company: string }

interface Search {
  scope: CompanyScope
  now: string
  /** The maximum number of links to find. */
  max: number
}

/**
 * Returns the links that work now and would stop working. First finds the keys by the target, and then applies the scope. In a single
 * query, the database might search all links of the caller's company for those of one file.
 */
export async function findAffectedLinks(db: Db, target: AffectedTarget, search: Search) {
  const keys = await findAffectedKeys(db, target, search)
  return limitToCompanies(db.selectFrom('link'), 'link.company_id', search.scope)
    .innerJoin('company', 'company.id', 'link.company_id')
    .innerJoin('user as owner', 'owner.id', 'link.maker_id')
    .select(['link.key', 'link.name', 'link.type', 'company.name as client', 'owner.name as maker', 'link.email'])
    .where('link.key', 'in', ['', ...keys])
    .execute()
}

/**
 * Each condition on a target uses the first column of an index. All links of a file, a directory or a company are in one company, but those
 * of an owner can be in many. A company also affects the links that its people own in other companies.
 */
async function findAffectedKeys(db: Db, target: AffectedTarget, search: Search): Promise<string[]> {
  const { now, max } = search
  const working = db.selectFrom('link').select('key').where('expires_at', '>', now).where('standing', '=', 'open').limit(max)
  const read = async (links: typeof working) => (await links.execute()).map(({ key }) => key)
  if ('files' in target) {
    const [one, several] = [working.where('file_id', 'in', target.files), selectEmptied(working, { files: target.files })]
    return [...(await read(one)), ...(await read(several))].slice(0, max)
  }
  if ('version' in target)
    return read(working.where('file_id', '=', target.version.file).where('version', '=', target.version.id))
  if ('directory' in target) {
    const directories = [target.directory]
    const [inTree, several] = [working.where(isInTrees(directories)), selectEmptied(working, { directories })]
    return [...(await read(inTree)), ...(await read(several))].slice(0, max)
  }
  if ('moved' in target) return findMovedKeys(working, target.moved)
  if ('owner' in target) return findOwnedKeys(db, target, search)
  const { company } = target
  const own = await read(working.where('company_id', '=', company).where(isInScope('link.company_id', search.scope)))
  if (own.length === max) return own
  const people = db.selectFrom('user').select('id').where('company_id', '=', company)
  const elsewhere = working.where('maker_id', 'in', people).where('company_id', '<>', company)
  return [...own, ...(await read(elsewhere.where(isInScope('link.company_id', search.scope))))].slice(0, max)
}

/** Finds the working links to these files and folders, and to everything in the folders, whose owners have no access to the new company. */
async function findMovedKeys(
  working: SelectQueryBuilder<Schema, 'link', { key: string }>,
  { files, directories, company }: { files: string[]; directories: string[]; company: string },
): Promise<string[]> {
  const isLost = sql<boolean>`link.company_id <> ${company} and not exists (select 1 from "user" as owner
    join company as target on target.id = ${company} where owner.id = link.maker_id and ${hasAccess('owner', 'target.id')})`
  const isMoved = [
    ...(files.length > 0 ? [sql<boolean>`link.file_id in (${sql.join(files)})`] : []),
    ...(directories.length > 0 ? [sql<boolean>`link.directory_id in ${selectTrees(directories)}`] : []),
  ]
  if (isMoved.length === 0) return []
  const found = working.where(isLost).where(({ or }) => or(isMoved))
  const emptied = selectEmptied(working, { files, directories, isMove: true }).where('link.company_id', '<>', company)
  const rows = [...(await found.execute()), ...(await emptied.execute())]
  return [...new Set(rows.map(({ key }) => key))]
}

const selectTrees = (directories: string[]) =>
  sql`(${sql.join(
    directories.map((id) => sql`select id from ${selectLiveSubtree(id)} as tree`),
    sql` union all `,
  )})`

/** Excludes links to several files, which don't stop just because their directory is deleted: see `selectEmptied`. */
const isInTrees = (directories: string[]) =>
  sql<boolean>`link.directory_id in ${selectTrees(directories)} and not ${sharesSeveral}`

/**
 * Selects the links to several files that would have no file left in the company of the link, if these files and directories were removed.
 * With `isMove`, they move to another company, and so does a link whose directory is among them.
 */
function selectEmptied(
  working: SelectQueryBuilder<Schema, 'link', { key: string }>,
  { files = [], directories = [], isMove = false }: { files?: string[]; directories?: string[]; isMove?: boolean },
) {
  const isRemoved = (file: string, directory: string) => {
    const parts = [
      ...(files.length > 0 ? [sql`${sql.ref(file)} in (${sql.join(files)})`] : []),
      ...(directories.length > 0 ? [sql`${sql.ref(directory)} in ${selectTrees(directories)}`] : []),
    ]
    return sql`(${sql.join(parts, sql` or `)})`
  }
  const linkMoves = isMove && directories.length > 0 ? sql`link.directory_id in ${selectTrees(directories)}` : sql`1 = 0`
  const remains = sql`${isRemoved('shared.id', 'shared.directory_id')} = (${linkMoves})`
  const candidates = [
    ...(files.length > 0 ? [sql`select link_key from link_file where file_id in (${sql.join(files)})`] : []),
    ...(directories.length > 0
      ? [
          sql`select link.key from link where ${sharesSeveral}
            and link.company_id in (select company_id from directory where id in (${sql.join(directories)}))`,
        ]
      : []),
  ]
  return working
    .where(sharesSeveral)
    .where(sql<boolean>`link.key in (${sql.join(candidates, sql` union all `)})`)
    .where(sql<boolean>`not exists ${selectSharedFiles(remains)}`)
}

/** How many links of an owner one query reads. */
const sliceSize = 1000

/** Finds the working links of an owner in the scope. Works in slices, because someone may own a million links outside of it. */
async function findOwnedKeys(
  db: Db,
  { owner, isLost }: Extract<AffectedTarget, { owner: string }>,
  { scope, now, max }: Search,
): Promise<string[]> {
  const keys: string[] = []
  for (let after = { expires_at: now, key: '' }; ; await nextTurn()) {
    const slice = await db
      .selectFrom('link')
      .select(['key', 'expires_at', 'standing', 'company_id', isInScope('link.company_id', scope).as('is_in_scope')])
      .where('maker_id', '=', owner)
      .where('expires_at', '>', now)
      .where(sql<boolean>`(expires_at, key) > (${after.expires_at}, ${after.key})`)
      .orderBy('expires_at')
      .orderBy('key')
      .limit(sliceSize)
      .execute()
    const affected = slice.filter((link) => link.standing === 'open' && link.is_in_scope && isLost(link.company_id))
    keys.push(...affected.map(({ key }) => key))
    const last = slice.at(-1)
    if (!last || slice.length < sliceSize || keys.length >= max) return keys.slice(0, max)
    after = last
  }
}

/** Returns when each link was last used: opened, downloaded from or uploaded to. Links that were never used are missing. */
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
