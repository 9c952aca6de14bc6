import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Schema } from '../../db/schema.ts'

/** Stores a reservation. A user has one per key: a new one replaces it. */
export const upsertReservation = (db: Db, row: Insertable<Schema['link_reservation']>) =>
  db
    .insertInto('link_reservation')
    .values(row)
    .onConflict((c) => c.columns(['key', 'user_id']).doUpdateSet({ code_mac: row.code_mac, ends_at: row.ends_at }))
    .execute()

/** Deletes and returns a reservation, so that it works only once. */
export const takeReservation = (
  db: Db,
  { key, user_id, kind, code_mac }: Pick<Selectable<Schema['link_reservation']>, 'key' | 'user_id' | 'kind' | 'code_mac'>,
  now: string,
) =>
  db
    .deleteFrom('link_reservation')
    .where('key', '=', key)
    .where('user_id', '=', user_id)
    .where('kind', '=', kind)
    .where('code_mac', '=', code_mac)
    .where('ends_at', '>', now)
    .returning('directory_id')
    .executeTakeFirst()

export const deleteEndedReservations = (db: Db, now: string) =>
  db.deleteFrom('link_reservation').where('ends_at', '<=', now).execute()
