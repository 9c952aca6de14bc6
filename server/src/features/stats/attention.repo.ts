import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/**
 * Returns the companies that a user has archived since a time. `coalesce` keeps the database from using the index on the person, which
 * would search all entries of the user.
 */
export const listCompaniesArchivedBy = async (db: Db, userId: string, since: string): Promise<string[]> => {
  const entries = db.selectFrom('audit').select('company_id').where('action', '=', 'company.archived')
  const rows = await entries.where(sql<boolean>`coalesce(person_id, '') = ${userId}`).where('at', '>=', since).execute()
  return rows.flatMap(({ company_id }) => company_id ?? [])
}
