import { type Expression, type SelectQueryBuilder, sql } from 'kysely'
import type { CompanyScope } from '../../lib/actor.ts'
import type { Db } from '../database.ts'

/** Limits rows to the companies that the caller may see. `column` has the id of the row's company. */
// biome-ignore lint/suspicious/noExplicitAny: which tables are joined makes no difference here.
export function limitToCompanies<Query extends SelectQueryBuilder<any, any, any>>(
  rows: Query,
  column: string,
  { company, member }: CompanyScope,
): Query {
  const id = sql.ref(column)
  if (company !== undefined) return rows.where(sql<boolean>`${id} = ${company}`) as Query
  if (member === undefined) return rows
  return rows.where(sql<boolean>`${id} in (select company_id from user_company where user_id = ${member})`) as Query
}

/** The companies whose rows a list shows. `column` has the id of a row's company. */
export interface ListedCompanies {
  column: string
  scope: CompanyScope
  /** The company that the caller asks for; empty for all that they may see. */
  requested?: string | undefined
}

/** Limits rows to the companies that a list shows. */
// biome-ignore lint/suspicious/noExplicitAny: which tables are joined makes no difference here.
export function limitToListed<Query extends SelectQueryBuilder<any, any, any>>(
  rows: Query,
  { column, scope, requested }: ListedCompanies,
): Query {
  return limitToCompanies(limitToCompanies(rows, column, scope), column, { company: requested || undefined })
}

/**
 * Builds the condition that a row's company is selected for the caller, for a few rows that are found already. The offset keeps PostgreSQL
 * from reading all selected companies instead of looking up each row's.
 */
export const isSelected = ({ column, scope: { member } }: Pick<ListedCompanies, 'column' | 'scope'>) =>
  sql<boolean>`exists (select 1 from user_company where user_company.user_id = ${member}
    and user_company.company_id = ${sql.ref(column)} limit 1 offset 0)`

/**
 * Builds the condition that a row's company is in the scope, for rows that other conditions find. `column` has the id of the company. The
 * function around it keeps databases from searching all rows of the company instead.
 */
export function isInScope(column: string, scope: CompanyScope) {
  if (scope.company !== undefined) return sql<boolean>`coalesce(${sql.ref(column)}, '') = ${scope.company}`
  return scope.member === undefined ? sql<boolean>`1 = 1` : isSelected({ column, scope })
}

/** Counts the companies that are selected for a user, up to `max`. */
export async function countSelected(db: Db, userId: string, max: number): Promise<number> {
  const rows = db.selectFrom('user_company').select('company_id').where('user_id', '=', userId).limit(max)
  return (await rows.execute()).length
}

/**
 * Sums up a count over the companies that are selected for a user. `ofOneCompany` selects it for `selected.company_id`. On PostgreSQL only:
 * it would otherwise count the rows of all companies, while SQLite counts company by company anyway.
 */
export const sumOverSelected = <Count extends string>(member: string, count: Count, ofOneCompany: Expression<unknown>) =>
  sql<Record<Count, number | null>>`select sum(found.${sql.ref(count)}) as ${sql.ref(count)}
    from user_company as selected cross join lateral (${ofOneCompany}) as found where selected.user_id = ${member}`

/** Builds the condition that the company in `column` isn't archived. */
const isOpen = (column: string) =>
  sql<boolean>`not exists (select 1 from company as archived where archived.id = ${sql.ref(column)} and archived.archived_at is not null)`

/**
 * Builds the condition that a user, joined as `user`, may sign in: they aren't suspended, have accepted their invitation if there was
 * one, and their company isn't archived.
 */
export function isActive(user: string) {
  const [suspended, invitation] = ['suspended_at', 'invitation_id'].map((name) => sql.ref(`${user}.${name}`))
  return sql<boolean>`(${suspended} is null and ${invitation} is null and ${isOpen(`${user}.company_id`)})`
}

/**
 * Builds the condition that a user, joined as `user`, may share the files of the company in `column` or have its events sent: they can
 * sign in and have access to the company, and it isn't archived.
 */
export const mayAccess = (user: string, column: string) =>
  sql<boolean>`(${isActive(user)} and ${isOpen(column)} and ${hasAccess(user, column)})`

/** Builds the condition that a user, joined as `user`, has access to the company in `column`, whether or not they can sign in. */
export function hasAccess(user: string, column: string) {
  const [role, access, own, id] = ['role', 'access', 'company_id', 'id'].map((name) => sql.ref(`${user}.${name}`))
  return sql<boolean>`(${role} = 'NEPTUNE_ADMIN' or ${access} = 'all' or ${own} = ${sql.ref(column)} or (${access} = 'selected'
    and exists (select 1 from user_company where user_company.user_id = ${id} and user_company.company_id = ${sql.ref(column)})))`
}

/**
 * Builds the condition that a user, joined as `user`, is an admin of a company that the caller may not see. `unnamedAdmin` is shown
 * instead of their name.
 */
export function isForeignAdmin(user: string, { company, member }: CompanyScope) {
  if (company === undefined && member === undefined) return sql<boolean>`false`
  const own = sql.ref(`${user}.company_id`)
  const isVisible =
    company === undefined
      ? sql<boolean>`exists (select 1 from user_company as visible where visible.user_id = ${member} and visible.company_id = ${own})`
      : sql<boolean>`${own} = ${company}`
  return sql<boolean>`(${sql.ref(`${user}.role`)} = 'NEPTUNE_ADMIN' and not ${isVisible})`
}
