import { type SelectQueryBuilder, sql } from 'kysely'
import type { CompanyScope } from '../../lib/actor.ts'

/** Limits rows to the companies that the caller may see. `column` has the id of the row's company. */
// biome-ignore lint/suspicious/noExplicitAny: which tables are joined makes no difference here.
export function limitToCompanies<Query extends SelectQueryBuilder<any, any, any>>(
  rows: Query,
  column: string,
  { company }: CompanyScope,
): Query {
  return company === undefined ? rows : (rows.where(sql<boolean>`${sql.ref(column)} = ${company}`) as Query)
}

/** Builds the condition that a user, joined as `user`, may access the company in `column`. */
export const mayAccess = (user: string, column: string) =>
  sql<boolean>`(${sql.ref(`${user}.role`)} = 'NEPTUNE_ADMIN' or ${sql.ref(`${user}.company_id`)} = ${sql.ref(column)})`
