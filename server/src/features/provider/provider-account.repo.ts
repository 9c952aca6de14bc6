import type { Db } from '../../db/database.ts'
import { isActive } from '../../db/queries/company-scope.ts'
import type { Schema } from '../../db/schema.ts'

type Account = Schema['provider_account']
type AccountKey = Pick<Account, 'issuer' | 'subject'>

const selectAccount = (db: Db, { issuer, subject }: AccountKey) =>
  db.selectFrom('provider_account').selectAll().where('issuer', '=', issuer).where('subject', '=', subject)

export const findAccount = (db: Db, key: AccountKey) => selectAccount(db, key).executeTakeFirst()

export const listAccountsOf = (db: Db, userId: string) =>
  db
    .selectFrom('provider_account')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('issuer')
    .orderBy('subject')
    .execute()

/** Connects an account to a user, unless it is already connected. Returns the id of the user it is connected to now. */
export async function insertAccount(db: Db, row: Account): Promise<string> {
  await db
    .insertInto('provider_account')
    .values(row)
    .onConflict((c) => c.columns(['issuer', 'subject']).doNothing())
    .execute()
  return (await selectAccount(db, row).executeTakeFirstOrThrow()).user_id
}

/** Stores that an account was used, and its email address unless that is empty. Returns false if it is no longer connected to this user. */
export async function touchAccount(
  db: Db,
  { issuer, subject, user_id }: AccountKey & { user_id: string },
  email: string,
  last_used_at: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('provider_account')
    .set({ ...(email !== '' && { email }), last_used_at })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const deleteAccount = (db: Db, { issuer, subject }: AccountKey) =>
  db.deleteFrom('provider_account').where('issuer', '=', issuer).where('subject', '=', subject).execute()

/** Returns when someone last signed in at each issuer. */
export async function readLastUses(db: Db): Promise<Map<string, string | null>> {
  const rows = await db
    .selectFrom('provider_account')
    .select(({ fn }) => ['issuer', fn.max('last_used_at').as('last_used_at')])
    .groupBy('issuer')
    .execute()
  return new Map(rows.map(({ issuer, last_used_at }) => [issuer, last_used_at]))
}

/** Who is about to lose the right to sign in as an admin: one user, or everyone in a company. */
export interface Leaving {
  id?: string
  company_id?: string
}

/** Returns whether an admin who can sign in, other than those who are `leaving`, has already done so with one of these issuers. */
export async function hasAdminAt(db: Db, issuers: string[], leaving: Leaving = {}): Promise<boolean> {
  if (issuers.length === 0) return false
  const found = await db
    .selectFrom('provider_account')
    .innerJoin('user', 'user.id', 'provider_account.user_id')
    .select('user.id')
    .where('provider_account.issuer', 'in', issuers)
    .where('provider_account.last_used_at', 'is not', null)
    .where('user.role', '=', 'NEPTUNE_ADMIN')
    .where(isActive('user'))
    .where('user.id', '<>', leaving.id ?? '')
    .where('user.company_id', '<>', leaving.company_id ?? '')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
