import type { Insertable, Selectable } from 'kysely'
import { type Db, unlessDuplicate } from '../../db/database.ts'
import { limitToCompanies } from '../../db/queries/company-scope.ts'
import { contains, type PageRequest, type Rows, readPage, readPageOfShortList } from '../../db/queries/paging.ts'
import type { Schema } from '../../db/schema.ts'
import { allCompanies, type CompanyScope } from '../../lib/actor.ts'
import { nameKey } from '../../lib/name-key.ts'

export type CompanyRecord = Selectable<Schema['company']>

/** Returns false if the name is taken. */
export async function insertCompany(db: Db, row: Omit<Insertable<Schema['company']>, 'name_key'>): Promise<boolean> {
  return unlessDuplicate(
    db
      .insertInto('company')
      .values({ ...row, name_key: nameKey(row.name) })
      .execute(),
  )
}

export async function renameCompany(db: Db, id: string, name: string): Promise<boolean> {
  return unlessDuplicate(
    db
      .updateTable('company')
      .set({ name, name_key: nameKey(name) })
      .where('id', '=', id)
      .execute(),
  )
}

export const findCompany = (db: Db, id: string, scope = allCompanies) =>
  limitToCompanies(db.selectFrom('company'), 'company.id', scope).selectAll().where('id', '=', id).executeTakeFirst()

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

export const findFirstCompany = (db: Db) =>
  db.selectFrom('company').selectAll().orderBy('created_at').orderBy('id').limit(1).executeTakeFirst()

type CompanyRequest = PageRequest & { search?: string | undefined }

const order = { columns: { name: 'company.name_key', created_at: 'company.created_at' }, id: 'company.id' }

export const listCompanies = (db: Db, request: CompanyRequest, scope: CompanyScope) =>
  readPage(
    db,
    {
      table: 'company',
      ...order,
      narrow: (rows) => rows,
      companies: { column: 'company.id', scope },
      show: (rows) => filterByName(rows, request).selectAll('company'),
      isFiltered: request.search !== undefined,
    },
    request,
  )

/** Lists the companies that are selected for a user: at most a few thousand. */
export const listSelectedCompanies = (db: Db, userId: string, request: CompanyRequest) =>
  readPageOfShortList(
    filterByName(limitToCompanies(db.selectFrom('company'), 'company.id', { member: userId }), request).selectAll('company'),
    order,
    request,
  )

const filterByName = (rows: Rows<'company'>, { search }: CompanyRequest) =>
  search === undefined ? rows : rows.where(contains('company.name_key', search))

/** Returns the companies that use the most storage. */
export const listLargestCompanies = (db: Db, scope: CompanyScope, limit: number) =>
  limitToCompanies(db.selectFrom('company'), 'company.id', scope)
    .select(['id', 'name', 'bytes'])
    .orderBy('bytes', 'desc')
    .orderBy('name_key')
    .limit(limit)
    .execute()

export async function countCompanies(db: Db, scope: CompanyScope): Promise<number> {
  const { count } = await limitToCompanies(db.selectFrom('company'), 'company.id', scope)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const listDirectoriesOf = (db: Db, companies: string[]) =>
  db
    .selectFrom('directory')
    .select(['id', 'name', 'company_id'])
    .where('company_id', 'in', companies)
    .where('deleted_at', 'is', null)
    .orderBy('company_id')
    .orderBy('name_key')
    .execute()
