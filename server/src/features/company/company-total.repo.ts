import type { Db } from '../../db/database.ts'
import { hasMoreSelected, selectOfSelected } from '../../db/queries/company-scope.ts'
import { prepareQuery } from '../../db/queries/prepared-query.ts'
import type { CompanyScope } from '../../lib/actor.ts'

/** How many directories and files there are, without the trash, and how many links. */
interface Totals {
  directories: number
  files: number
  links: number
}

/** The `company_id` of the totals of all companies. */
const everyCompany = ''

/**
 * For up to this many selected companies, each request adds up the totals and transfers. For more, the sums are stored, under the id of the
 * user.
 */
export const maxSummedCompanies = 200

const addTotals = prepareQuery((db, { company_id, ...change }: Totals & { company_id: string }) =>
  db
    .insertInto('company_total')
    .values([
      { company_id, ...change },
      { company_id: everyCompany, ...change },
    ])
    .onConflict((c) =>
      c.column('company_id').doUpdateSet((eb) => ({
        directories: eb('company_total.directories', '+', eb.ref('excluded.directories')),
        files: eb('company_total.files', '+', eb.ref('excluded.files')),
        links: eb('company_total.links', '+', eb.ref('excluded.links')),
      })),
    ),
)

/** Adds to the stored sums of the users for whom a company is selected. */
const addToSums = prepareQuery((db, { company_id, ...change }: Totals & { company_id: string }) =>
  db
    .updateTable('company_total')
    .set((eb) => ({
      directories: eb('directories', '+', change.directories),
      files: eb('files', '+', change.files),
      links: eb('links', '+', change.links),
    }))
    .where('company_id', 'in', (eb) => eb.selectFrom('user_company').select('user_id').where('company_id', '=', company_id)),
)

/**
 * Adds to the totals of a company, to those of all companies, and to the sums of users for whom it is selected. Call it after `record`
 * in the same transaction. Then every change of totals already holds the lock of the audit log: changes can't deadlock, and the row for
 * all companies is no second bottleneck.
 */
export async function addToTotals(trx: Db, company_id: string, change: Partial<Totals>): Promise<void> {
  const { directories = 0, files = 0, links = 0 } = change
  if (directories === 0 && files === 0 && links === 0) return
  await addTotals(trx, { company_id, directories, files, links })
  await addToSums(trx, { company_id, directories, files, links })
}

/** Adds `by` to one of the totals of each company, once for each time its id is in the list. */
export async function addEachToTotals(trx: Db, field: keyof Totals, companies: string[], by: 1 | -1): Promise<void> {
  const counts = Map.groupBy(companies, (id) => id)
  for (const [id, { length }] of counts) await addToTotals(trx, id, { [field]: by * length })
}

/** Returns the totals of the companies that the caller may see. */
export async function readTotals(db: Db, { company = everyCompany, member }: CompanyScope): Promise<Totals> {
  const stored = db
    .selectFrom('company_total')
    .selectAll()
    .where('company_id', '=', member ?? company)
  const found = (await stored.executeTakeFirst()) ?? (member === undefined ? undefined : await sumTotals(db, member))
  return { directories: Number(found?.directories ?? 0), files: Number(found?.files ?? 0), links: Number(found?.links ?? 0) }
}

const sumTotals = (db: Db, member: string) =>
  selectOfSelected(db, member, 'company_total', 'company_id')
    .select(({ fn }) => [
      fn.sum<number | null>('directories').as('directories'),
      fn.sum<number | null>('files').as('files'),
      fn.sum<number | null>('links').as('links'),
    ])
    .executeTakeFirst()

/**
 * Recomputes the sums for a user, and stores them if many companies are selected. Call it after the selection has changed and after
 * `record`, like `addToTotals`. Returns whether the sums are stored.
 */
export async function storeSumOfTotals(trx: Db, user: string): Promise<boolean> {
  await trx.deleteFrom('company_total').where('company_id', '=', user).execute()
  if (!(await hasMoreSelected(trx, user, maxSummedCompanies))) return false
  await trx
    .insertInto('company_total')
    .values({ company_id: user, ...(await readTotals(trx, { member: user })) })
    .execute()
  return true
}

/** Returns the number of files of each company, without the trash. */
export async function countFilesOf(db: Db, companies: string[]): Promise<Map<string, number>> {
  if (companies.length === 0) return new Map()
  const rows = db.selectFrom('company_total').select(['company_id', 'files']).where('company_id', 'in', companies)
  return new Map((await rows.execute()).map(({ company_id, files }) => [company_id, Number(files)]))
}
