import { type RawBuilder, sql } from 'kysely'
import { type Db, isSqlite } from '../../db/database.ts'
import { selectOfSelected } from '../../db/queries/company-scope.ts'
import { isOneOf } from '../../db/queries/merged-companies.ts'
import { containsWord, splitWords } from '../../db/queries/word-search.ts'
import { type Requester, runSlice } from '../../lib/concurrency/scan.ts'

/** If the selected companies have more people than this, a search scans the list instead of reading all of these people. */
const maxPeople = 10_000

interface PeopleSearch {
  search: string
  isRemoved?: boolean | undefined
  /** A word of the search, with the ids of all companies whose names may contain it, if they are known. */
  inCompanies?: { word: string; ids: string[] } | undefined
}

/**
 * Returns the ids of all people who may match a search, in the companies that are selected for a user. Returns undefined if these companies
 * have more than `maxPeople` people. Reads names, email addresses and names of companies only from indexes, in one query, because there may be
 * thousands of companies.
 */
export async function findPeopleOfSelected(
  db: Db,
  member: string,
  { search, isRemoved, inCompanies }: PeopleSearch,
  requester: Requester,
): Promise<string[] | undefined> {
  const [isListed, index] = isRemoved
    ? [sql<boolean>`"user".removed_at is not null`, 'user_company_removed_name_order']
    : [sql<boolean>`"user".removed_at is null`, 'user_company_name_order']
  const people = selectOfSelected(db, member, 'user', 'company_id', { isListed, index })
    .select(['user.id', 'user.company_id', 'user.name_key', 'user.email'])
    .limit(maxPeople + 1)
  const conditions = splitWords(search).map(
    (word) => sql<boolean>`(${containsWord(['user.name_key', 'user.email'], word)} or ${isInCompany(word)})`,
  )
  const isMatch = conditions.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`${sql.join(conditions, sql` and `)}`
  const collect = sql.raw(isSqlite(db) ? 'json_group_array' : 'array_agg')
  const query = sql<{ count: number; ids: string | string[] | null }>`select count(*) as count,
    ${collect}("user".id) filter (where ${isMatch}) as ids from ${people.as('user')}`
  const { rows } = await runSlice(requester, () => query.execute(db))
  const [{ count, ids } = { count: 0, ids: null }] = rows
  if (Number(count) > maxPeople) return undefined
  return typeof ids === 'string' ? (JSON.parse(ids) as string[]) : (ids ?? [])

  /** Builds the condition that the name of the company contains a word. Its subquery runs once, instead of once for each person. */
  function isInCompany(word: string): RawBuilder<boolean> {
    if (word === inCompanies?.word) return isOneOf(db, 'user.company_id', inCompanies.ids)
    const companies = selectOfSelected(db, member, 'company', 'id', { index: 'company_id_name' })
    return sql<boolean>`"user".company_id in ${companies.select('company.id').where(containsWord(['company.name_key'], word))}`
  }
}
