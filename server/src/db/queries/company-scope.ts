import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { CompanyScope } from '../../lib/actor.ts'
import { type Db, isSqlite } from '../database.ts'
import type { Schema } from '../schema.ts'
import type { Rows } from './page-order.ts'
import { prepareQuery } from './prepared-query.ts'

/**
 * Limits rows to the companies that the caller may see. `column` has the id of the row's company. Looks up the company of each row, so
 * other conditions must already select few rows. To read all rows of selected companies, use `selectOfSelected`.
 */
// biome-ignore lint/suspicious/noExplicitAny: which tables are joined makes no difference here.
export function limitToCompanies<Query extends SelectQueryBuilder<any, any, any>>(
  rows: Query,
  column: string,
  { company, member }: CompanyScope,
): Query {
  if (company !== undefined) return rows.where(sql<boolean>`${sql.ref(column)} = ${company}`) as Query
  return member === undefined ? rows : (rows.where(isSelected(sql.ref(column), member)) as Query)
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
  if (!requested) return limitToCompanies(rows, column, scope)
  const ofRequested = limitToCompanies(rows, column, { company: requested })
  // Checks the requested company once, not the company of each row: none of them is shown if it isn't selected.
  return scope.member === undefined
    ? limitToCompanies(ofRequested, column, scope)
    : (ofRequested.where(isSelected(requested, scope.member)) as Query)
}

/**
 * Builds the condition that a company is selected for a user. The offset keeps PostgreSQL from reading all selected companies instead of
 * looking up this one. The alias lets `company` be a column of `user_company` in the query around it.
 */
export const isSelected = (company: string | Expression<unknown>, member: string) =>
  sql<boolean>`exists (select 1 from user_company as in_scope where in_scope.user_id = ${member}
    and in_scope.company_id = ${company} limit 1 offset 0)`

/**
 * Builds the condition that a row's company, whose id is in `column`, is in the scope. For queries whose other conditions already select
 * few rows: `coalesce` keeps databases from reading all rows of the company through an index instead.
 */
export function isInScope(column: string, scope: CompanyScope) {
  if (scope.company !== undefined) return sql<boolean>`coalesce(${sql.ref(column)}, '') = ${scope.company}`
  return scope.member === undefined ? sql<boolean>`1 = 1` : isSelected(sql.ref(column), scope.member)
}

const selectOneMore = prepareQuery((db, { userId, max }: { userId: string; max: number }) =>
  db.selectFrom('user_company').select('company_id').where('user_id', '=', userId).limit(1).offset(max),
)

/** Returns whether more than `max` companies are selected for a user. */
export const hasMoreSelected = async (db: Db, userId: string, max: number): Promise<boolean> =>
  (await selectOneMore(db, { userId, max })).rows.length > 0

/**
 * Selects the rows of all companies that are selected for a user (at most 5,000 companies). Looks up the rows company by company, because
 * databases would otherwise read the rows of all companies. `isListed` is the condition of the index that finds them, if it has one.
 * `index` names the index for SQLite, if it would not choose the right one.
 */
export function selectOfSelected<Table extends keyof Schema & string>(
  db: Db,
  member: string,
  table: Table,
  column: string,
  { isListed, index }: { isListed?: RawBuilder<boolean>; index?: string } = {},
) {
  const rows = sql.table(table)
  const company = sql.ref(`${table}.${column}`)
  const condition = isListed ? sql`and ${isListed}` : sql``
  const source = isSqlite(db)
    ? sql`(select ${rows}.* from user_company as selected cross join ${rows} ${index ? sql`indexed by ${sql.ref(index)}` : sql``}
        where selected.user_id = ${member} and ${company} = selected.company_id ${condition})`
    : sql`(select * from ${rows} where ${company} = any(array(select company_id from user_company where user_id = ${member})) ${condition})`
  return db.selectFrom(source.as(table)) as unknown as Rows<Table>
}

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
 * Builds the condition that a user, joined as `user`, may own links and webhooks of the company in `column`: they can sign in and have
 * access to the company, and it isn't archived.
 */
export const mayAccess = (user: string, column: string) =>
  sql<boolean>`(${isActive(user)} and ${isOpen(column)} and ${hasAccess(user, column)})`

/** Builds the condition that a user, joined as `user`, has access to the company in `column`, whether or not they can sign in. */
export function hasAccess(user: string, column: string) {
  const [role, access, own, id] = ['role', 'access', 'company_id', 'id'].map((name) => sql.ref(`${user}.${name}`))
  return sql<boolean>`(${role} = 'NEPTUNE_ADMIN' or ${access} = 'all' or ${own} = ${sql.ref(column)} or (${access} = 'selected'
    and exists (select 1 from user_company as granted where granted.user_id = ${id} and granted.company_id = ${sql.ref(column)})))`
}

/**
 * Builds the condition that a user, joined as `user`, is an admin of a company that the caller may not see. `unnamedAdmin` is shown
 * instead of their name.
 */
export function isForeignAdmin(user: string, { company, member }: CompanyScope) {
  if (company === undefined && member === undefined) return sql<boolean>`false`
  const own = sql.ref(`${user}.company_id`)
  const isVisible = company === undefined ? isSelected(own, member ?? '') : sql<boolean>`${own} = ${company}`
  return sql<boolean>`(${sql.ref(`${user}.role`)} = 'NEPTUNE_ADMIN' and not ${isVisible})`
}
