import type { CompanyAccess, Language, Role } from '@neptune/contract'
import type { Insertable } from 'kysely'
import { type Db, isSqlite, takeAdvisoryLock, unlessDuplicate } from '../../db/database.ts'
import { insertInstallationValue, readInstallationValue } from '../../db/installation.ts'
import { refreshStandingsSoon } from '../../db/link-standing.ts'
import { isActive, limitToCompanies } from '../../db/queries/company-scope.ts'
import type { Rows } from '../../db/queries/paging.ts'
import type { Schema } from '../../db/schema.ts'
import { allCompanies } from '../../lib/actor.ts'
import { toNameColumns } from '../../lib/names/name-order.ts'

export type UserRecord = NonNullable<Awaited<ReturnType<typeof findUser>>>

/** Returns false if the email is taken. */
export const insertUser = (db: Db, row: Omit<Insertable<Schema['user']>, 'name_key' | 'name_order'>): Promise<boolean> =>
  unlessDuplicate(
    db
      .insertInto('user')
      .values({ ...row, ...toNameColumns(row.name) })
      .execute(),
  )

/** Returns a user, unless they were removed or their company is outside the scope. */
export const findUser = (db: Db, id: string, scope = allCompanies) =>
  limitToCompanies(users(db), 'user.company_id', scope).where('user.id', '=', id).executeTakeFirst()

export const findUserByEmail = (db: Db, email: string) => users(db).where('user.email', '=', email).executeTakeFirst()

/** Locks a user. First takes a lock for all changes of emails: otherwise two users who swap their emails would deadlock. */
export async function lockUser(trx: Db, id: string) {
  await takeAdvisoryLock(trx, 'user e-mail')
  const rows = users(trx).where('user.id', '=', id)
  return isSqlite(trx) ? rows.executeTakeFirst() : rows.forUpdate('user').executeTakeFirst()
}

/** Returns false if the email is taken. */
export const setDetails = (db: Db, id: string, { name, email }: { name: string; email: string }): Promise<boolean> =>
  unlessDuplicate(
    db
      .updateTable('user')
      .set({ name, ...toNameColumns(name), email })
      .where('id', '=', id)
      .execute(),
  )

export const setLanguage = (db: Db, id: string, language: Language | null) =>
  db.updateTable('user').set({ language }).where('id', '=', id).execute()

/** Stores when a user last looked at the dashboard, and since when its news is new to them. */
export const setVisit = (db: Db, id: string, visit: { visited_at: string; news_since: string | null }) =>
  db.updateTable('user').set(visit).where('id', '=', id).execute()

/** Invalidates all password reset links of a user. */
export const deleteResets = (db: Db, id: string) => db.deleteFrom('password_reset').where('user_id', '=', id).execute()

/** Replaces the hash only if it is still the old one, so that a password that has just been changed is kept. */
export const replacePasswordHash = (db: Db, id: string, from: string, to: string) =>
  db.updateTable('user').set({ password_hash: to }).where('id', '=', id).where('password_hash', '=', from).execute()

/** Sets a new password, which ends all sessions. Returns false if the user's password, email or rights have changed since. */
export async function changePasswordHash(
  db: Db,
  { id, email, generation }: UserRecord,
  password_hash: string,
  password_changed_at: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('user')
    .set({ password_hash, password_changed_at, generation: generation + 1 })
    .where('id', '=', id)
    .where('email', '=', email)
    .where('generation', '=', generation)
    .where('suspended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const setSignedInAt = (db: Db, id: string, signed_in_at: string) =>
  db.updateTable('user').set({ signed_in_at }).where('id', '=', id).execute()

/** Ends all sessions of a user: their generation no longer matches. */
export const raiseGeneration = (db: Db, id: string) =>
  db
    .updateTable('user')
    .set((eb) => ({ generation: eb('generation', '+', 1) }))
    .where('id', '=', id)
    .execute()

/** Changes a user's rights, which ends all of their sessions. */
export const changeRights = (db: Db, id: string, change: { role: Role } | { suspended_at: string | null }) =>
  db
    .updateTable('user')
    .set((eb) => ({ ...change, generation: eb('generation', '+', 1) }))
    .where('id', '=', id)
    .execute()

export const setAccess = (db: Db, id: string, access: CompanyAccess) =>
  db.updateTable('user').set({ access }).where('id', '=', id).execute()

/** Replaces the companies that are selected for a user. */
export async function replaceSelectedCompanies(db: Db, user_id: string, companies: string[]): Promise<void> {
  await db.deleteFrom('user_company').where('user_id', '=', user_id).execute()
  for (let at = 0; at < companies.length; at += rowsPerInsert) {
    const rows = companies.slice(at, at + rowsPerInsert).map((company_id) => ({ user_id, company_id }))
    await db.insertInto('user_company').values(rows).execute()
  }
}

const rowsPerInsert = 500

/** Counts the companies that are selected for each of these users, besides their own. */
export async function countOtherCompanies(db: Db, users: string[]): Promise<Map<string, number>> {
  if (users.length === 0) return new Map()
  const rows = await db
    .selectFrom('user')
    .leftJoin('user_company', (join) =>
      join.onRef('user_company.user_id', '=', 'user.id').onRef('user_company.company_id', '<>', 'user.company_id'),
    )
    .select(({ fn }) => ['user.id', fn.count<number>('user_company.company_id').as('count')])
    .where('user.id', 'in', users)
    .groupBy('user.id')
    .execute()
  return new Map(rows.map(({ id, count }) => [id, Number(count)]))
}

/** Refreshes the standing of links after their owner's rights have changed: see db/link-standing.ts. */
export { refreshStandingsSoon }

/** Serializes changes to admins on all nodes: otherwise the last two could demote each other at the same time. */
export const lockAdmins = (db: Db) =>
  db
    .updateTable('installation')
    .set((eb) => ({ value: eb.ref('value') }))
    .where('name', '=', 'first_run')
    .execute()

/** Returns whether there is an admin who can sign in, other than this user or the people of this company. */
export async function hasOtherAdmin(db: Db, except: { id: string } | { company_id: string }): Promise<boolean> {
  const [column, value] = 'id' in except ? (['id', except.id] as const) : (['company_id', except.company_id] as const)
  const admins = db.selectFrom('user').select('id').where('role', '=', 'NEPTUNE_ADMIN').where(isActive('user'))
  return (await admins.where(column, '<>', value).limit(1).executeTakeFirst()) !== undefined
}

/** Returns the email addresses of the admins who can sign in. */
export const listAdminEmails = async (db: Db): Promise<string[]> =>
  (
    await db
      .selectFrom('user')
      .select('email')
      .where('role', '=', 'NEPTUNE_ADMIN')
      .where(isActive('user'))
      .orderBy('email')
      .execute()
  ).map(({ email }) => email)

/** Returns the ids of the people of a company. */
export const listUserIds = async (db: Db, companyId: string): Promise<string[]> =>
  (await excludeRemoved(db.selectFrom('user')).select('id').where('company_id', '=', companyId).execute()).map(({ id }) => id)

/** Returns the first admin whose company isn't archived. */
export const findFirstAdmin = (db: Db) =>
  users(db)
    .where('user.role', '=', 'NEPTUNE_ADMIN')
    .where('company.archived_at', 'is', null)
    .orderBy('user.created_at')
    .orderBy('user.id')
    .limit(1)
    .executeTakeFirst()

export const hasUsers = async (db: Db) => (await db.selectFrom('user').select('id').limit(1).executeTakeFirst()) !== undefined

/** Returns true for only one caller on all nodes: the one that sets up the database. */
export const claimFirstRun = (db: Db, at: string) => insertInstallationValue(db, 'first_run', at)

/** Returns when the database was set up. */
export const readFirstRun = (db: Db) => readInstallationValue(db, 'first_run')

const users = (db: Db) => withCompany(excludeRemoved(db.selectFrom('user')))

/** Leaves out removed users. Their rows stay, because files, links and audit entries refer to them. */
export const excludeRemoved = (rows: Rows<'user'>) => rows.where('user.removed_at', 'is', null)

export const selectRemoved = (rows: Rows<'user'>) => rows.where('user.removed_at', 'is not', null)

export const withCompany = (rows: Rows<'user'>) =>
  rows
    .innerJoin('company', 'company.id', 'user.company_id')
    .selectAll('user')
    .select(['company.name as company_name', 'company.archived_at as company_archived_at'])
