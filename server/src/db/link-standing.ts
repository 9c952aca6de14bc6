import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import { hasAccess, isActive } from './queries/company-scope.ts'
import { selectLinksToFile, selectSharedFiles, sharesSeveral } from './queries/link-files.ts'
import { selectSubtree } from './queries/tree.ts'
import type { LinkStanding } from './tables/link-tables.ts'

/**
 * Which links to refresh: all, or those of one file, one directory with everything below it, one company or owner, or the links to several
 * files of a company.
 */
export type LinkScope =
  | { all: true }
  | { file_id: string }
  | { tree: string }
  | { company_id: string }
  | { maker_id: string }
  | { several_of: string }

const companyIsArchived = sql<boolean>`exists (select 1 from company where company.id = link.company_id
  and company.archived_at is not null)`

/** For a link to several files, only the files count: they may have been moved out of the directory. */
export const directoryIsDeleted = sql<boolean>`(not ${sharesSeveral} and exists (select 1 from directory
  where directory.id = link.directory_id and directory.deleted_at is not null))`

/** Whether the file of the link is in the trash or, for a link to several files, whether recipients see none of them anymore. */
export const fileIsDeleted = sql<boolean>`(exists (select 1 from file where file.id = link.file_id and file.deleted_at is not null)
  or (${sharesSeveral} and not exists ${selectSharedFiles()}))`

/** Whether the link is pinned to a version that was deleted. */
export const versionIsDeleted = sql<boolean>`(link.version is not null
  and not exists (select 1 from file where file.id = link.file_id and file.blob_id = link.version)
  and not exists (select 1 from file_version where file_version.file_id = link.file_id and file_version.blob_id = link.version))`

const ownerIs = (condition: RawBuilder<boolean>) =>
  sql<boolean>`exists (select 1 from "user" as owner where owner.id = link.maker_id and ${condition})`

/**
 * The correct value of `link.standing`, computed from the link's company, target and owner: the first reason why it doesn't work, in the
 * same order as in `findStopReasons`.
 */
const currentStanding = sql<LinkStanding>`case when ${companyIsArchived} then 'company_archived'
  when ${directoryIsDeleted} then 'directory_deleted' when ${fileIsDeleted} then 'file_deleted'
  when ${versionIsDeleted} then 'version_deleted'
  when not ${ownerIs(isActive('owner'))} then 'owner_suspended'
  when not ${ownerIs(hasAccess('owner', 'link.company_id'))} then 'owner_without_access' else 'open' end`

/**
 * Whether the file of the link is in the trash and another file now has its name. Before Neptune kept versions, replacing a file moved the old
 * one to the trash.
 */
export const targetIsReplaced = sql<boolean>`exists (select 1 from file as old join file as new
  on new.directory_id = old.directory_id and new.name_key = old.name_key and new.deleted_at is null
  where old.id = link.file_id and old.deleted_at is not null)`

/** Small enough that one statement takes a few milliseconds. */
const batchSize = 500

/** How long a request waits until its links are refreshed. */
const refreshTimeoutMs = 1_000

/**
 * Refreshes `link.standing` after the transaction that trashed, restored or deleted a target, changed an owner's rights, or archived a
 * company. That transaction is committed by then, so a failure is only reported. If there are very many links, the last ones are refreshed
 * after this returns. The hourly job completes what a crashed process leaves undone.
 */
export async function refreshStandingsSoon(db: Db, scopes: LinkScope[], onError: (error: unknown) => void): Promise<void> {
  const refresh = async () => {
    for (const scope of scopes) await refreshStandings(db, scope)
  }
  await Promise.race([refresh().catch(onError), wait(refreshTimeoutMs, undefined, { ref: false })])
}

/**
 * Refreshes `link.standing` and returns how many links were wrong. Works in batches, so that a million links do not block
 * other requests.
 */
export async function refreshStandings(db: Db, scope: LinkScope, { dryRun = false } = {}): Promise<number> {
  let wrong = 0
  for (const condition of getScopeConditions(scope)) wrong += await refreshMatching(db, condition, dryRun)
  return wrong
}

/** Returns conditions that together select the links in a scope. Each one can use an index. */
function getScopeConditions(scope: LinkScope): RawBuilder<boolean>[] {
  if ('all' in scope) return [sql`1 = 1`]
  if ('file_id' in scope) return [sql`link.key in ${selectLinksToFile(scope.file_id)}`]
  if ('company_id' in scope) return [sql`link.company_id = ${scope.company_id}`]
  if ('maker_id' in scope) return [sql`link.maker_id = ${scope.maker_id}`]
  if ('several_of' in scope) return [sql`link.company_id = ${scope.several_of} and ${sharesSeveral}`]
  // Files in the tree can be shared from anywhere in their company.
  const company = sql`(select company_id from directory where directory.id = ${scope.tree})`
  return [
    sql`link.directory_id in ${selectSubtree(scope.tree)} and not ${sharesSeveral}`,
    sql`link.company_id = ${company} and ${sharesSeveral}`,
  ]
}

async function refreshMatching(db: Db, condition: RawBuilder<boolean>, dryRun: boolean): Promise<number> {
  let wrong = 0
  for (let after = { expires_at: '', key: '' }; ; ) {
    const page = await db
      .selectFrom('link')
      .select(['link.key', 'link.expires_at', 'link.standing', currentStanding.as('current')])
      .where(condition)
      .where(sql<boolean>`(link.expires_at, link.key) > (${after.expires_at}, ${after.key})`)
      .orderBy('link.expires_at')
      .orderBy('link.key')
      .limit(batchSize)
      .execute()
    const keys = page.filter(({ standing, current }) => standing !== current).map(({ key }) => key)
    if (keys.length > 0 && !dryRun) await setStandings(db, keys)
    wrong += keys.length
    const last = page.at(-1)
    if (!last || page.length < batchSize) return wrong
    after = last
    await nextTurn() // SQLite runs on the event loop: let it serve other requests, too
  }
}

/** Sets `standing` from the current target and owner. */
export const setStandings = (db: Db, keys: string[]) =>
  db.updateTable('link').set({ standing: currentStanding }).where('key', 'in', keys).execute()
