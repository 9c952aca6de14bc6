import type { Db } from '../../db/database.ts'
import { selectOfSelected } from '../../db/queries/company-scope.ts'
import { prepared } from '../../db/queries/prepared-query.ts'
import type { CompanyScope } from '../../lib/actor.ts'

/** How many directories and files there are, without the trash, and how many links. */
interface Totals {
  directories: number
  files: number
  links: number
}

/** The `company_id` of the totals of all companies. */
const everyCompany = ''

const addTotals = prepared((db, { company_id, ...change }: Totals & { company_id: string }) =>
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

/**
 * Adds to the totals of a company, and to those of all. Call it after `record` in the same transaction: every change of totals waits for the
 * lock of the audit log, so they can't deadlock, and the totals of all companies are no second bottleneck.
 */
export async function addToTotals(trx: Db, company_id: string, change: Partial<Totals>): Promise<void> {
  const { directories = 0, files = 0, links = 0 } = change
  if (directories !== 0 || files !== 0 || links !== 0) await addTotals(trx, { company_id, directories, files, links })
}

/** Adds to the totals of several companies: one of `what` for each id, which can repeat. */
export async function addEachToTotals(trx: Db, what: keyof Totals, companies: string[], by: 1 | -1): Promise<void> {
  const counts = Map.groupBy(companies, (id) => id)
  for (const [id, { length }] of counts) await addToTotals(trx, id, { [what]: by * length })
}

/** Returns the totals of the companies that the caller may see. */
export async function readTotals(db: Db, { company = everyCompany, member }: CompanyScope): Promise<Totals> {
  const rows =
    member === undefined
      ? db.selectFrom('company_total').where('company_id', '=', company)
      : selectOfSelected(db, member, 'company_total', 'company_id')
  const found = await rows
    .select(({ fn }) => [
      fn.sum<number | null>('directories').as('directories'),
      fn.sum<number | null>('files').as('files'),
      fn.sum<number | null>('links').as('links'),
    ])
    .executeTakeFirst()
  return { directories: Number(found?.directories ?? 0), files: Number(found?.files ?? 0), links: Number(found?.links ?? 0) }
}

/** Returns the number of files of each company, without the trash. */
export async function countFilesOf(db: Db, companies: string[]): Promise<Map<string, number>> {
  if (companies.length === 0) return new Map()
  const rows = db.selectFrom('company_total').select(['company_id', 'files']).where('company_id', 'in', companies)
  return new Map((await rows.execute()).map(({ company_id, files }) => [company_id, Number(files)]))
}
