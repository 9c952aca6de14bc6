import { type Db, isSqlite } from '../../db/database.ts'
import { limitToCompanies, limitToListed } from '../../db/queries/company-scope.ts'
import { hasManyCompanies, isOneOf, scannedRowCount } from '../../db/queries/merged-companies.ts'
import { findByName } from '../../db/queries/name-search.ts'
import { type PageRequest, type Rows, readPage, readPageOfShortList } from '../../db/queries/paging.ts'
import { containsWord, containsWords, selectCompanyNameKey, splitWords } from '../../db/queries/word-search.ts'
import type { CompanyScope } from '../../lib/actor.ts'
import { runSlice } from '../../lib/concurrency/scan.ts'
import { companyNames } from '../company/company.repo.ts'
import { findPeopleOfSelected } from './people-search.repo.ts'
import { excludeRemoved, selectRemoved, type UserRecord, withCompany } from './user.repo.ts'

interface UserRequest extends PageRequest {
  search?: string | undefined
  company?: string | undefined
  /** Lists only people of other companies for whom this company is selected. */
  guests_of?: string | undefined
  /** Whether to list removed users instead of the others. */
  isRemoved?: boolean
}

const userColumns = {
  columns: { name: 'user.name_order', email: 'user.email', created_at: 'user.created_at' },
  id: 'user.id',
}

type Page = Promise<{ rows: UserRecord[]; next: string | null }>

/** Lists users, of the companies that the caller may see. */
export async function listUsers(db: Db, request: UserRequest, scope: CompanyScope): Page {
  const { search, guests_of, isRemoved, requester } = request
  const narrow = isRemoved ? selectRemoved : excludeRemoved
  const companies = { column: 'user.company_id', scope, requested: request.company }
  const list = { ...userColumns, table: 'user' as const, narrow, show: withCompany, isFiltered: false, companies }
  const show = (rows: Rows<'user'>) => withCompany(search === undefined ? rows : rows.where(buildSearchCondition(search)))
  if (guests_of) return listByIds(await findGuestIds(db, guests_of, scope))
  if (search === undefined) return readPage(db, list, request)
  const isOfOneCompany = request.company || scope.company !== undefined
  const matches = isOfOneCompany ? {} : await findMatches(db, search, narrow, request)
  if (matches.ids) return listByIds(matches.ids)
  const searched = { ...list, show, isFiltered: true }
  if (isOfOneCompany || scope.member === undefined) return readPage(db, searched, request)
  const { member } = scope
  const start = (await hasManyCompanies(db, member)) ? await scanStart(db, searched, request) : undefined
  if (start && (start.rows.length === request.limit || start.next === null)) return start
  const people = await findPeopleOfSelected(db, member, { search, isRemoved, inCompanies: matches.inCompanies }, requester)
  if (people?.length === 0) return { rows: [], next: null }
  return people ? listByIds(people) : readPage(db, searched, request)

  function listByIds(ids: string[]) {
    const rows = narrow(db.selectFrom('user').where(isOneOf(db, 'user.id', ids)))
    return readPageOfShortList(show(limitToListed(rows, companies)), userColumns, request)
  }
}

/** Builds the condition of a search: each word is part of the name, the email address or the name of the company. */
const buildSearchCondition = (search: string) =>
  containsWords(['user.name_key', 'user.email', selectCompanyNameKey('user.company_id')], search)

/** A search scans up to this many rows, which takes no longer than reading all people of thousands of selected companies. */
const maxScannedRows = 6000

/**
 * Searches the start of the list. If many people there match, scans as far as needed to fill the page, but at most `maxScannedRows` rows.
 * Reads only the keys of the rows of other companies.
 */
async function scanStart(db: Db, list: Parameters<typeof readPage<'user', UserRecord>>[1], request: UserRequest): Page {
  const scanRows = (more: Partial<PageRequest>, maxRows: number) =>
    readPage(db, { ...list, scansKeys: true }, { ...request, ...more, requester: { ...request.requester, maxRows } })
  const { limit } = request
  const first = await scanRows({}, scannedRowCount)
  const isPromising = first.rows.length * (maxScannedRows / scannedRowCount) >= limit
  if (first.rows.length === limit || first.next === null || !isPromising) return first
  const more = await scanRows({ limit: limit - first.rows.length, cursor: first.next }, maxScannedRows - scannedRowCount)
  return { rows: [...first.rows, ...more.rows], next: more.next }
}

const maxMatches = 1000

const userNames = { table: 'user', id: 'id', index: 'user_search', indexId: 'user_id' } as const

interface Matches {
  /** The ids of all users who may match, if they are few. */
  ids?: string[]
  /** A word of the search, with the ids of all companies whose names may contain it, if they are few. */
  inCompanies?: { word: string; ids: string[] }
}

/**
 * Finds the users who may match a search, with the indexes on names: those who match its longest word, if it has three or more characters.
 * Not needed for a caller who sees one company.
 */
async function findMatches(
  db: Db,
  search: string,
  narrow: (rows: Rows<'user'>) => Rows<'user'>,
  { requester }: UserRequest,
): Promise<Matches> {
  const [word = ''] = splitWords(search).toSorted((a, b) => b.length - a.length)
  if ([...word].length < 3) return {}
  // Narrows the users first, because each index on companies contains either the removed users or the others.
  const users = () => narrow(db.selectFrom('user')).select('user.id')
  const companies = (await findByName(db, companyNames, word, requester)) as string[] | undefined
  if (!companies) return {}
  const inCompanies = { word, ids: companies }
  const named = isSqlite(db)
    ? await findByName(db, userNames, word, requester)
    : users().where(containsWord(['user.name_key', 'user.email'], word))
  if (!named) return { inCompanies }
  const found = (Array.isArray(named) ? users().where(isOneOf(db, 'user.id', named)) : named)
    .unionAll(users().where(isOneOf(db, 'user.company_id', companies)))
    .limit(maxMatches + 1)
  const rows = await runSlice(requester, () => found.execute())
  return rows.length > maxMatches ? { inCompanies } : { ids: rows.map(({ id }) => id) }
}

/**
 * Returns the ids of the first people of other companies for whom this company is selected. Returns none if the caller may not see the
 * company, because its guests would reveal something about it.
 */
async function findGuestIds(db: Db, company: string, scope: CompanyScope): Promise<string[]> {
  const selected = limitToCompanies(
    db.selectFrom('user_company').where('user_company.company_id', '=', company),
    'user_company.company_id',
    scope,
  )
  const rows = await selected
    .innerJoin('user', 'user.id', 'user_company.user_id')
    .select('user.id')
    .where('user.access', '=', 'selected')
    .where('user.role', '<>', 'NEPTUNE_ADMIN')
    .where('user.company_id', '<>', company)
    .limit(maxMatches)
    .execute()
  return rows.map(({ id }) => id)
}
