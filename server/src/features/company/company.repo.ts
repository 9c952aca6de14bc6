import type { Insertable, Selectable } from 'kysely'
import { type Db, unlessDuplicate } from '../../db/database.ts'
import { limitToCompanies } from '../../db/queries/company-scope.ts'
import { contains, type PageRequest, readPage } from '../../db/queries/paging.ts'
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

export const listCompanies = (db: Db, request: PageRequest & { search?: string | undefined }, scope: CompanyScope) =>
  readPage(
    db,
    {
      table: 'company',
      columns: { name: 'company.name_key', created_at: 'company.created_at' },
      id: 'company.id',
      narrow: (rows) => rows,
      companies: { column: 'company.id', scope },
      show: (rows) =>
        rows
          .selectAll('company')
          .$if(request.search !== undefined, (q) => q.where(contains('company.name_key', request.search ?? ''))),
      isFiltered: request.search !== undefined,
    },
    request,
  )

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
