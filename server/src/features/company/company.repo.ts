import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import { type Db, isSqlite, unlessDuplicate } from '../../db/database.ts'
import { limitToCompanies, selectOfSelected } from '../../db/queries/company-scope.ts'
import { isOneOf } from '../../db/queries/merged-companies.ts'
import { findByName } from '../../db/queries/name-search.ts'
import { type PageRequest, type Rows, readPage, readPageOfShortList } from '../../db/queries/paging.ts'
import { prepareQuery } from '../../db/queries/prepared-query.ts'
import { containsWord, containsWords, splitWords } from '../../db/queries/word-search.ts'
import type { Schema } from '../../db/schema.ts'
import { allCompanies, type CompanyScope } from '../../lib/actor.ts'
import { systemRequester } from '../../lib/concurrency/scan.ts'
import { toNameKey } from '../../lib/names/name-key.ts'
import { toNameColumns } from '../../lib/names/name-order.ts'

export type CompanyRecord = Selectable<Schema['company']>

/** Returns false if the name is taken. */
export async function insertCompany(
  db: Db,
  row: Omit<Insertable<Schema['company']>, 'name_key' | 'name_order'>,
): Promise<boolean> {
  return unlessDuplicate(
    db
      .insertInto('company')
      .values({ ...row, ...toNameColumns(row.name) })
      .execute(),
  )
}

type CompanyChange = Pick<Updateable<Schema['company']>, 'note' | 'quota_bytes' | 'brand_name'> & { name?: string }

/** Returns false if the name is taken. */
export const updateCompany = (db: Db, id: string, change: CompanyChange): Promise<boolean> =>
  unlessDuplicate(
    db
      .updateTable('company')
      .set({ ...change, ...(change.name !== undefined && toNameColumns(change.name)) })
      .where('id', '=', id)
      .execute(),
  )

/** Locks a company against concurrent changes, including changes of its bytes. Returns undefined if it does not exist. */
export async function lockCompany(trx: Db, id: string): Promise<CompanyRecord | undefined> {
  const rows = trx.selectFrom('company').selectAll().where('id', '=', id)
  return isSqlite(trx) ? rows.executeTakeFirst() : rows.forNoKeyUpdate().executeTakeFirst()
}

/** Locks a company against concurrent changes. Unlike with `lockCompany`, several transactions can hold this lock at the same time. */
export async function lockCompanyShared(trx: Db, id: string): Promise<CompanyRecord | undefined> {
  const rows = trx.selectFrom('company').selectAll().where('id', '=', id)
  return isSqlite(trx) ? rows.executeTakeFirst() : rows.forShare().executeTakeFirst()
}

/** Archives or restores a company. Returns false if it is already in that state. */
export async function setCompanyArchived(db: Db, id: string, archived_at: string | null): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('company')
    .set({ archived_at })
    .where('id', '=', id)
    .where('archived_at', archived_at === null ? 'is not' : 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const selectUsage = prepareQuery((db, { id }: { id: string }) =>
  db.selectFrom('company').select(['bytes', 'quota_bytes', 'archived_at']).where('id', '=', id),
)

/** Returns how many bytes a company stores (including the trash), its own quota, and when it was archived. */
export const findUsage = async (db: Db, id: string) => (await selectUsage(db, { id })).rows[0]

export const findCompany = (db: Db, id: string, scope = allCompanies) =>
  limitToCompanies(db.selectFrom('company'), 'company.id', scope).selectAll().where('id', '=', id).executeTakeFirst()

export const findCompanyByName = (db: Db, name: string) =>
  db.selectFrom('company').selectAll().where('name_key', '=', toNameKey(name)).executeTakeFirst()

/** Counts how many of these companies exist. */
export async function countExistingCompanies(db: Db, ids: string[]): Promise<number> {
  let found = 0
  for (let at = 0; at < ids.length; at += 500) {
    const rows = db
      .selectFrom('company')
      .select('id')
      .where('id', 'in', ids.slice(at, at + 500))
    found += (await rows.execute()).length
  }
  return found
}

/** Returns the first company that isn't archived. */
export const findFirstCompany = (db: Db) =>
  db
    .selectFrom('company')
    .selectAll()
    .where('archived_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

export const companyNames = { table: 'company', id: 'id', index: 'company_search', indexId: 'company_id' } as const

type CompanyRequest = PageRequest & { search?: string | undefined; isArchived: boolean }

const companyColumns = {
  columns: { name: 'company.name_order', created_at: 'company.created_at', bytes: 'company.bytes' },
  id: 'company.id',
}

export async function listCompanies(db: Db, request: CompanyRequest, scope: CompanyScope) {
  const { search, isArchived, requester } = request
  const companies = { column: 'company.id', scope }
  const narrow = (rows: Rows<'company'>) => rows.where('company.archived_at', isArchived ? 'is not' : 'is', null)
  const show = (rows: Rows<'company'>) => filterByName(rows, request).selectAll('company')
  const matches = search === undefined ? undefined : await findByName(db, companyNames, search, requester)
  if (matches) {
    const found = db.selectFrom('company').where(isOneOf(db, 'company.id', matches))
    return readPageOfShortList(show(limitToCompanies(narrow(found), 'company.id', scope)), companyColumns, request)
  }
  // Too many companies match for the index, or the text is too short. Only those selected for the caller are searched, in one query.
  if (search !== undefined && scope.member !== undefined)
    return readPageOfShortList(show(narrow(selectOfSelected(db, scope.member, 'company', 'id'))), companyColumns, request)
  return readPage(db, { ...companyColumns, table: 'company', narrow, show, isFiltered: search !== undefined, companies }, request)
}

/** Lists the companies that are selected for a user, including archived ones. */
export const listSelectedCompanies = (db: Db, userId: string, request: CompanyRequest) =>
  readPageOfShortList(
    filterByName(selectOfSelected(db, userId, 'company', 'id'), request).selectAll('company'),
    companyColumns,
    request,
  )

const filterByName = (rows: Rows<'company'>, { search }: CompanyRequest) =>
  search === undefined ? rows : rows.where(containsWords(['company.name_key'], search))

/**
 * Returns, for each word of a search, the companies whose name contains it; undefined if there are many, or the word is too short for the
 * index. Returns an empty list for a single word, because the name of a company alone must not match all of its rows.
 */
export async function findCompaniesByWord(db: Db, search: string, requester: PageRequest['requester']) {
  const words = splitWords(search)
  const found: { word: string; ids: string[] | undefined }[] = []
  if (words.length < 2) return found
  for (const word of words) {
    const candidates = await findByName(db, companyNames, word, requester)
    const companies = db
      .selectFrom('company')
      .select('id')
      .where(isOneOf(db, 'company.id', candidates ?? []))
    const rows = candidates && (await companies.where(containsWord(['company.name_key'], word)).execute())
    found.push({ word, ids: rows?.map(({ id }) => id) })
  }
  return found
}

/** The condition of the index `company_checked`. */
const isChecked = sql<boolean>`(company.quota_bytes is not null or company.warned_percent > 0)`

/**
 * Yields pages of companies whose usage may have passed a threshold of their quota, or fallen below one: first those with their own quota
 * or a warning, then, if `minBytes` is given, those that use at least that much.
 */
export async function* listUsages(db: Db, minBytes: number | undefined, requester: PageRequest['requester']) {
  const show = (rows: Rows<'company'>) =>
    rows.select(['company.id', 'company.bytes', 'company.quota_bytes', 'company.warned_percent'])
  const isOpen = (rows: Rows<'company'>) => rows.where('company.archived_at', 'is', null)
  const lists = [
    { columns: { id: 'company.id' }, narrow: (rows: Rows<'company'>) => isOpen(rows).where(isChecked) },
    {
      columns: { bytes: 'company.bytes' },
      narrow: (rows: Rows<'company'>) => isOpen(rows).where('company.bytes', '>=', minBytes ?? 0),
    },
  ]
  for (const list of minBytes === undefined ? lists.slice(0, 1) : lists)
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const request: PageRequest = { limit: 500, cursor, requester }
      const page = await readPage(db, { ...list, table: 'company', id: 'company.id', show, isFiltered: false }, request)
      yield page.rows
      cursor = page.next ?? undefined
    }
}

export const setWarnedPercent = (trx: Db, id: string, warned_percent: number) =>
  trx.updateTable('company').set({ warned_percent }).where('id', '=', id).execute()

/** Returns the companies that use the most storage, including archived ones. */
export async function listLargestCompanies(db: Db, scope: CompanyScope, limit: number) {
  const request = { limit, sort: '-bytes', requester: systemRequester }
  const pages = [false, true].map((isArchived) => listCompanies(db, { ...request, isArchived }, scope))
  const companies = (await Promise.all(pages)).flatMap(({ rows }) => rows)
  return companies.toSorted((a, b) => Number(b.bytes) - Number(a.bytes)).slice(0, limit)
}

/** Returns companies that admins were warned about: first those with the highest warning, then those that use the most storage. */
export const listWarnedCompanies = (db: Db, scope: CompanyScope, limit: number) =>
  limitToCompanies(db.selectFrom('company'), 'company.id', scope)
    .selectAll()
    .where(isChecked)
    .where('warned_percent', '>', 0)
    .where('archived_at', 'is', null)
    .orderBy('warned_percent', 'desc')
    .orderBy('bytes', 'desc')
    .limit(limit)
    .execute()

export async function countCompanies(db: Db, { company, member }: CompanyScope): Promise<number> {
  if (company !== undefined) return 1
  const count = sql<number>`count(*)`.as('count')
  const rows =
    member === undefined
      ? db.selectFrom('company').select(count)
      : db.selectFrom('user_company').select(count).where('user_id', '=', member)
  return Number((await rows.executeTakeFirstOrThrow()).count)
}

export const listDirectoriesOf = (db: Db, companies: string[]) =>
  db
    .selectFrom('directory')
    .select(['id', 'name', 'company_id'])
    .where('company_id', 'in', companies)
    .where('parent_id', 'is', null)
    .where('deleted_at', 'is', null)
    .orderBy('company_id')
    .orderBy('name_order')
    .execute()

/**
 * Reads up to `max` rows of a query that refers to `company`, and counts those that meet the condition. The query must be sorted like one
 * of the indexes of its table. Otherwise PostgreSQL scans the whole table if most rows belong to one company.
 */
const countUpTo = (max: number, rows: RawBuilder<unknown>, condition = sql`true`) =>
  sql<number>`(select count(*) from (${rows} limit ${sql.lit(max)}) as "counted" where ${condition})`

const people = sql`select 1 from "user" where "user".company_id = company.id and "user".removed_at is null
  order by "user".name_order`
const directories = sql`select 1 from directory where directory.company_id = company.id and directory.parent_id is null
  and directory.deleted_at is null order by directory.name_order`
const unexpiredLinks = (now: string) => sql`select link.standing from link where link.company_id = company.id
  and link.expires_at > ${now} order by link.expires_at`
const lastActivity = sql<string | null>`(select audit.at from audit where audit.company_id = company.id
  order by audit.seq desc limit 1)`

/** Counts the people, directories and working links of companies, up to `max` each, and returns the time of their last activity. */
export async function summarizeCompanies(db: Db, ids: string[], now: string, max: number) {
  if (ids.length === 0) return new Map<string, never>()
  const rows = await db
    .selectFrom('company')
    .select([
      'company.id',
      countUpTo(max, people).as('people'),
      countUpTo(max, directories).as('directories'),
      countUpTo(max, unexpiredLinks(now), sql`counted.standing = 'open'`).as('active_links'),
      lastActivity.as('last_activity_at'),
    ])
    .where('company.id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
