import type { Insertable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Schema } from '../../db/schema.ts'

export const insertCompany = (db: Db, row: Insertable<Schema['company']>) => db.insertInto('company').values(row).execute()
