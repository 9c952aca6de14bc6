import { type RawBuilder, sql } from 'kysely'
import { type Db, isSqlite } from '../../db/database.ts'
import { selectOfSelected } from '../../db/queries/company-scope.ts'
import { buildOrder, decodeCursor } from '../../db/queries/page-order.ts'
import type { PageRequest } from '../../db/queries/paging.ts'
import { containsWord, splitWords } from '../../db/queries/word-search.ts'
import { runSlice } from '../../lib/concurrency/scan.ts'

/** A search reads all people of the selected companies up to this many. With more, it scans the list. */
const maxPeople = 10_000

interface PeopleRequest extends PageRequest {
  search: string
  isRemoved?: boolean
}

/**
 * Finds a page of the people of all companies that are selected for a user: returns the ids of those who match a search, in order, one more
 * than the page has. Returns undefined if the companies have more than `maxPeople` people. Reads names, email addresses and names of companies
 * from indexes alone, in one query, because it looks up thousands of companies.
 */
export async function findPeopleOfSelected(
  db: Db,
  member: string,
  { columns, id }: { columns: Record<string, string>; id: string },
  { search, isRemoved, limit, sort = '', cursor, requester }: PeopleRequest,
): Promise<string[] | undefined> {
  const order = buildOrder(columns, id, sort)
  const [isListed, index] = isRemoved
    ? [sql<boolean>`"user".removed_at is not null`, 'user_company_removed_name_key']
    : [sql<boolean>`"user".removed_at is null`, 'user_company_name_key']
  const people = order
    .applyTo(
      selectOfSelected(db, member, 'user', 'company_id', { isListed, index }),
      cursor ? decodeCursor(cursor, sort) : undefined,
    )
    .clearOrderBy()
    .select([...order.key, 'user.company_id', 'user.name_key', 'user.email'])
    .limit(maxPeople + 1)
  const isMatch = containsEachWord(db, member, search)
  const ids = isSqlite(db)
    ? sql<string>`json_group_array(page_id order by ${order.ofKeys}) filter (where ${isMatch})`
    : sql<string[] | null>`(array_agg(page_id order by ${order.ofKeys}) filter (where ${isMatch}))[1:${sql.lit(limit + 1)}]`
  const query = sql<{
    count: number
    ids: string | string[] | null
  }>`select count(*) as count, ${ids} as ids from ${people.as('user')}`
  const { rows } = await runSlice(requester, () => query.execute(db))
  const [{ count, ids: found } = { count: 0, ids: null }] = rows
  if (Number(count) > maxPeople) return undefined
  return typeof found === 'string' ? (JSON.parse(found) as string[]).slice(0, limit + 1) : (found ?? [])
}

/** Builds the condition that each word of a search is part of the name, the email address or the name of the company. */
function containsEachWord(db: Db, member: string, search: string): RawBuilder<boolean> {
  const isInCompany = (word: string) => {
    const companies = selectOfSelected(db, member, 'company', 'id', { index: 'company_id_name' })
    // A subquery that runs once, instead of once for each person.
    return sql<boolean>`"user".company_id in ${companies.select('company.id').where(containsWord(['company.name_key'], word))}`
  }
  const conditions = splitWords(search).map(
    (word) => sql<boolean>`(${containsWord(['user.name_key', 'user.email'], word)} or ${isInCompany(word)})`,
  )
  return conditions.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`${sql.join(conditions, sql` and `)}`
}
