import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { mayAccess } from '../../db/queries/company-scope.ts'

/** Selects people who can sign in and have access to a company, unless it is archived. */
const selectPeople = (db: Db, companyId: string) =>
  db
    .selectFrom('user as person')
    .innerJoin('company as target', (join) => join.on('target.id', '=', companyId))
    .where(mayAccess('person', 'target.id'))

/** Returns the addresses of a company's people who have access to another company. Those who signed in last come first. */
export const listColleagueEmails = async (db: Db, home: string, companyId: string, limit: number): Promise<string[]> => {
  const people = selectPeople(db, companyId).select('person.email').where('person.company_id', '=', home)
  const recent = people.orderBy(sql`coalesce(person.signed_in_at, '')`, 'desc').orderBy('person.email')
  return (await recent.limit(limit).execute()).map(({ email }) => email)
}

/** Returns the person with this address, if they can sign in and have access to the company. */
export const findPersonWithAccess = (db: Db, email: string, companyId: string) =>
  selectPeople(db, companyId).select('person.name').where('person.email', '=', email).executeTakeFirst()
