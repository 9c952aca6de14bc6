import type { SectionName } from '@neptune/contract'
import type { Db } from '../../db/database.ts'
import { prepareQuery } from '../../db/queries/prepared-query.ts'
import type { Schema } from '../../db/schema.ts'

export type SettingRow = Pick<Schema['setting'], 'section' | 'value' | 'version'>

const selectAll = prepareQuery((db) => db.selectFrom('setting').select(['section', 'value', 'version']))

/** Lists the sections in which admins have set something. */
export const listSections = async (db: Db): Promise<SettingRow[]> => (await selectAll(db, {})).rows

export const findSection = (db: Db, section: SectionName): Promise<SettingRow | undefined> =>
  db.selectFrom('setting').select(['section', 'value', 'version']).where('section', '=', section).executeTakeFirst()

/** Saves a section, if it still has the given version: 0 if nothing was ever set. Returns false if someone else changed it meanwhile. */
export async function saveSection(trx: Db, { section, value, version }: SettingRow, changed_at: string): Promise<boolean> {
  const next = { value, version: version + 1, changed_at }
  const [saved] =
    version === 0
      ? await trx
          .insertInto('setting')
          .values({ section, ...next })
          .onConflict((conflict) => conflict.column('section').doNothing())
          .returning('version')
          .execute()
      : await trx
          .updateTable('setting')
          .set(next)
          .where('section', '=', section)
          .where('version', '=', version)
          .returning('version')
          .execute()
  return saved !== undefined
}
