import type { LinkFilterState, LinkState } from '@neptune/contract'
import { type Insertable, sql, type Updateable } from 'kysely'
import { type Db, isSqlite, unlessDuplicate } from '../../db/database.ts'
import {
  directoryIsDeleted,
  fileIsDeleted,
  refreshStandings,
  refreshStandingsSoon,
  setStandings,
  targetIsReplaced,
  versionIsDeleted,
} from '../../db/link-standing.ts'
import { hasAccess, limitToCompanies, limitToListed, mayAccess } from '../../db/queries/company-scope.ts'
import { selectLinksToFile, selectSharedFiles, sharesSeveral } from '../../db/queries/link-files.ts'
import { isOneOf } from '../../db/queries/merged-companies.ts'
import { type PageRequest, type Rows, readPage, readPageOfShortList } from '../../db/queries/paging.ts'
import { prepareQuery } from '../../db/queries/prepared-query.ts'
import { containsWord, containsWordsOrCompany, splitWords } from '../../db/queries/word-search.ts'
import type { Schema } from '../../db/schema.ts'
import type { CompanyScope } from '../../lib/actor.ts'
import { runSlice } from '../../lib/concurrency/scan.ts'
import { toNameColumns } from '../../lib/names/name-order.ts'
import { findCompaniesByWord } from '../company/company.repo.ts'

export type LinkRecord = NonNullable<Awaited<ReturnType<typeof findLink>>>

const selectLinkByKey = prepareQuery((db, { key, ...scope }: CompanyScope & { key: string }) =>
  selectLinks(db, scope).where('link.key', '=', key),
)

export const findLink = async (db: Db, key: string, scope: CompanyScope) => (await selectLinkByKey(db, { ...scope, key })).rows[0]

export const findLinks = (db: Db, keys: string[], scope: CompanyScope) =>
  selectLinks(db, scope).where('link.key', 'in', keys).execute()

/** Returns the addresses that these links were last sent to. Links that were never sent are missing. */
export async function findLinkEmails(db: Db, keys: string[], scope: CompanyScope): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map()
  const links = limitToCompanies(db.selectFrom('link'), 'link.company_id', scope).select(['key', 'email'])
  const rows = await links
    .where(isOneOf(db, 'link.key', keys))
    .where('email', 'is not', null)
    .execute()
  return new Map(rows.map(({ key, email }) => [key, email ?? '']))
}

/**
 * Locks the row of a link, so that nobody changes or deletes it before the transaction ends. Lock it before any row that depends on
 * it, to avoid deadlocks.
 */
export async function lockLink(trx: Db, key: string) {
  const rows = trx.selectFrom('link').selectAll().where('key', '=', key)
  return isSqlite(trx) ? rows.executeTakeFirst() : rows.forUpdate().executeTakeFirst()
}

/** Locks a link only against deletion, for transactions that insert rows that depend on it. Many can hold this lock at a time. */
export async function lockLinkShared(trx: Db, key: string): Promise<void> {
  if (!isSqlite(trx)) await sql`select 1 from link where key = ${key} for key share`.execute(trx)
}

/** Returns the stored number of files in a directory and the folders below, without the trash. */
export async function countFilesIn(db: Db, directoryId: string): Promise<number> {
  const row = await db.selectFrom('directory').select('files').where('id', '=', directoryId).executeTakeFirst()
  return Number(row?.files ?? 0)
}

interface LinkRequest extends PageRequest {
  search?: string | undefined
  company: string
  directory?: string | undefined
  file?: string | undefined
  owner?: string | undefined
  state?: LinkFilterState | undefined
  /** Lists only links of companies that were archived since then. */
  archivedSince?: string | undefined
  now: string
  /** Links that expire before this time count as expiring. */
  expiringBefore: string
}

const linkColumns = {
  columns: { created_at: 'link.created_at', name: 'link.name_order', expiry: 'link.expires_at' },
  id: 'link.key',
}

export async function listLinks(db: Db, request: LinkRequest, scope: CompanyScope) {
  const { company, state, search } = request
  const targets = getTargetConditions(request)
  const companies = { column: 'link.company_id', scope, requested: company }
  const narrow = (rows: Rows<'link'>) =>
    rows
      // In a list sorted by expiry, the index starts at the first link in this state.
      .$if(state !== undefined && request.sort?.endsWith('expiry') === true, (q) =>
        q.where(buildExpiryCondition(state ?? 'active', request)),
      )
      .$if(isBlockedState(state), (q) => q.where(buildStateCondition(state ?? 'active', request)))
  const show = (rows: Rows<'link'>) =>
    withOwner(rows)
      .$if(state !== undefined, (q) => q.where(buildStateCondition(state ?? 'active', request)))
      .$if(request.archivedSince !== undefined, (q) => q.where('company.archived_at', '>=', request.archivedSince ?? ''))
      .$if(search !== undefined, (q) => q.where(buildSearchCondition(search ?? '')))
      .$if(targets.length > 0, (q) => q.where(({ and }) => and(targets)))
  const matches = search === undefined && targets.length === 0 ? undefined : await findMatchingKeys(db, request)
  if (matches)
    return readPageOfShortList(
      show(limitToListed(narrow(db.selectFrom('link').where('link.key', 'in', matches)), companies)),
      linkColumns,
      request,
    )
  const isFiltered = search !== undefined || targets.length > 0 || (state !== undefined && !isBlockedState(state))
  return readPage(db, { ...linkColumns, table: 'link', narrow, show, isFiltered, companies }, request)
}

const maxMatches = 1000

/** Builds the conditions of a list that is limited to a target or an owner. Each column is the first of an index. */
function getTargetConditions({ directory, file, owner }: LinkRequest) {
  const columns = { 'link.directory_id': directory, 'link.maker_id': owner }
  const conditions = Object.entries(columns).flatMap(([column, id]) => (id ? [sql<boolean>`${sql.ref(column)} = ${id}`] : []))
  return file ? [sql<boolean>`link.key in ${selectLinksToFile(file)}`, ...conditions] : conditions
}

/**
 * Returns the keys of all links that match a target or an owner, or may match a search, if they are few and an index finds them. For
 * searches, only PostgreSQL has an index, and only for words of three or more characters.
 */
async function findMatchingKeys(db: Db, request: LinkRequest): Promise<string[] | undefined> {
  const { search = '', requester } = request
  const targets = getTargetConditions(request)
  const conditions = targets.length > 0 ? targets : await buildIndexedConditions(db, search, requester)
  if (!conditions) return undefined
  const found = db
    .selectFrom('link')
    .select('link.key')
    .where(({ and }) => and(conditions))
  const rows = await runSlice(requester, () => found.limit(maxMatches + 1).execute())
  return rows.length > maxMatches ? undefined : ['', ...rows.map(({ key }) => key)]
}

/** Builds a condition that can use an index, for the longest word of a search: every link that matches the search meets it. */
async function buildIndexedConditions(db: Db, search: string, requester: PageRequest['requester']) {
  const [word = ''] = splitWords(search).toSorted((a, b) => b.length - a.length)
  if (isSqlite(db) || [...word].length < 3) return undefined
  const companies = (await findCompaniesByWord(db, search, requester)).find((found) => found.word === word) ?? { ids: [] }
  if (!companies.ids) return undefined
  const isNamed = sql<boolean>`(${containsWord(['link.name_key', 'link.email'], word)} or ${sql.ref('link.key')} = ${search})`
  return companies.ids.length === 0 ? [isNamed] : [sql<boolean>`(${isNamed} or ${isOneOf(db, 'link.company_id', companies.ids)})`]
}

/**
 * Builds the condition of a search: each word is part of the name, of the address the link was sent to, or of the company's name; or it is
 * the whole key.
 */
const buildSearchCondition = (search: string) =>
  sql<boolean>`(${containsWordsOrCompany(['link.name_key', 'link.email'], 'link.company_id', search)} or ${sql.ref('link.key')} = ${search})`

/** The states of unexpired links that don't work. There are few such links, and they have their own indexes. */
type BlockedState = Exclude<LinkState, 'active' | 'expiring' | 'expired'>

const isBlockedState = (state: LinkFilterState | undefined): state is BlockedState =>
  state !== undefined && !['unopened', 'active', 'expiring', 'expired'].includes(state)

/** SQLite uses the partial indexes of closed links only for literals together with `<> 'open'`. */
const buildStandingCondition = (state: LinkFilterState) =>
  isBlockedState(state)
    ? sql<boolean>`link.standing <> 'open' and link.standing = ${sql.lit(state)}`
    : sql<boolean>`link.standing = 'open'`

/** Builds the condition on the expiry of links in this state. */
function buildExpiryCondition(state: LinkFilterState, { now, expiringBefore }: LinkRequest) {
  const end = sql.ref('link.expires_at')
  if (state === 'expired') return sql<boolean>`${end} <= ${now}`
  return state === 'expiring' ? sql<boolean>`${end} > ${now} and ${end} <= ${expiringBefore}` : sql<boolean>`${end} > ${now}`
}

function buildStateCondition(state: LinkFilterState, request: LinkRequest) {
  if (state === 'expired') return buildExpiryCondition(state, request)
  const works = sql<boolean>`${buildExpiryCondition(state, request)} and ${buildStandingCondition(state)}`
  return state === 'unopened' ? sql<boolean>`${works} and link.waiting_since is not null` : works
}

/** Whether the owner may share the target. If not, the link doesn't work. */
const mayShare = mayAccess('owner', 'link.company_id')

export const insertLink = (db: Db, row: Omit<Insertable<Schema['link']>, 'name_key' | 'name_order'>) =>
  unlessDuplicate(
    db
      .insertInto('link')
      .values({ ...row, ...toNameColumns(row.name), waiting_since: row.created_at })
      .execute(),
  )

/** Inserts the files of a link to several files. */
export const insertLinkFiles = (db: Db, link_key: string, files: string[]) =>
  db
    .insertInto('link_file')
    .values(files.map((file_id) => ({ link_key, file_id })))
    .execute()

/** Returns the files that recipients of a link to several files see. */
export const listSharedFiles = (db: Db, key: string) =>
  db
    .selectFrom('link')
    .innerJoin('file', (join) => join.on(sql<boolean>`file.id in ${selectSharedFiles()}`))
    .select(['file.name', 'file.name_order', 'file.size'])
    .where('link.key', '=', key)
    .execute()

/** Returns the files that a link to several files names, including those that recipients no longer see. */
export const listLinkFiles = async (db: Db, key: string): Promise<string[]> =>
  (await db.selectFrom('link_file').select('file_id').where('link_key', '=', key).execute()).map(({ file_id }) => file_id)

export const updateLink = (db: Db, key: string, change: Updateable<Schema['link']>) =>
  db.updateTable('link').set(change).where('key', '=', key).execute()

/** Renames the links to a file or directory: a link has the name of its target. */
export const renameLinks = (db: Db, target: { file_id: string } | { directory_id: string }, name: string) =>
  db
    .updateTable('link')
    .set({ name, ...toNameColumns(name) })
    .$if('file_id' in target, (q) => q.where('file_id', '=', 'file_id' in target ? target.file_id : ''))
    .$if('directory_id' in target, (q) =>
      q.where('file_id', 'is', null).where('directory_id', '=', 'directory_id' in target ? target.directory_id : ''),
    )
    .execute()

/** Deletes links. Returns the companies of those that existed, one for each link. */
export const deleteLinks = async (db: Db, keys: string[]): Promise<string[]> =>
  (await db.deleteFrom('link').where('key', 'in', keys).returning('company_id').execute()).map((row) => row.company_id)

/** Counts the live links to each of these files, up to `max`: those that show the current version, and those that are pinned to one. */
export function countLiveLinks(db: Db, files: string[], now: string, max: number) {
  const count = (isPinned: boolean) =>
    sql<number>`(select count(*) from (select 1 from link where link.key in ${selectLinksToFile(sql.ref('file.id'))} and link.expires_at > ${now}
      and link.standing = 'open' and link.version is ${isPinned ? sql`not null` : sql`null`} limit ${max}) as "live")`
  return db
    .selectFrom('file')
    .select(['file.id', count(false).as('links'), count(true).as('pinned')])
    .where('file.id', 'in', files)
    .execute()
}

/**
 * Refresh the stored states of links (see db/link-standing.ts): of all links, of many after a transaction, of a few inside a transaction.
 */
export { refreshStandings, refreshStandingsSoon, setStandings }

/** Adds one file to the usage of a link. Returns false if that would exceed its limits. */
export async function addLinkUsage(
  db: Db,
  key: string,
  bytes: number,
  limit: { files: number; bytes: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('link')
    .set((eb) => ({ files: eb('files', '+', 1), bytes: eb('bytes', '+', bytes) }))
    .where('key', '=', key)
    .where('files', '<', limit.files)
    .where('bytes', '<=', limit.bytes - bytes)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The number of files that recipients of a link to several files see. Null for other links. */
const countSharedFiles = sql<
  number | null
>`case when ${sharesSeveral} then (select count(*) from ${selectSharedFiles()} as shared) end`

const selectLinks = (db: Db, scope: CompanyScope) => limitToCompanies(withOwner(db.selectFrom('link')), 'link.company_id', scope)

export const withOwner = (rows: Rows<'link'>) =>
  rows
    .innerJoin('company', 'company.id', 'link.company_id')
    .innerJoin('user as owner', 'owner.id', 'link.maker_id')
    .innerJoin('company as home', 'home.id', 'owner.company_id')
    .selectAll('link')
    .select([
      'company.name as company_name',
      'company.archived_at as company_archived_at',
      'owner.name as owner_name',
      'owner.email as owner_email',
      'owner.company_id as owner_company_id',
      'owner.suspended_at as owner_suspended_at',
      'owner.removed_at as owner_removed_at',
      'owner.role as owner_role',
      'owner.access as owner_access',
      'home.name as owner_company_name',
      'home.archived_at as owner_company_archived_at',
    ])
    .select([
      mayShare.as('may_share'),
      hasAccess('owner', 'link.company_id').as('owner_has_access'),
      directoryIsDeleted.as('directory_is_deleted'),
      fileIsDeleted.as('file_is_deleted'),
      versionIsDeleted.as('version_is_deleted'),
      targetIsReplaced.as('is_replaced'),
      countSharedFiles.as('shared_files'),
    ])
