import type { Insertable } from 'kysely'
import { type Db, takeAdvisoryLock } from '../../db/database.ts'
import type { Schema } from '../../db/schema.ts'

/** Inserts an image, unless the same one exists already. Such an image may be unused; now it is used again. */
export const insertImage = (trx: Db, image: Omit<Insertable<Schema['brand_image']>, 'unused_at'>) =>
  trx
    .insertInto('brand_image')
    .values(image)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ unused_at: null }))
    .execute()

/** Returns the bytes of an image, in base64. */
export const findImageBytes = async (db: Db, id: string) =>
  (await db.selectFrom('brand_image').select('bytes').where('id', '=', id).executeTakeFirst())?.bytes

/** Keeps the logos of the organisation from being changed by others until the end of the transaction. */
export const lockLogos = (trx: Db) => takeAdvisoryLock(trx, 'logos')

/** Returns which images the organisation uses, as JSON. */
export const findLogoIds = async (db: Db) =>
  (await db.selectFrom('setting').select('value').where('section', '=', 'logos').executeTakeFirst())?.value

export const saveLogoIds = (trx: Db, value: string, changed_at: string) =>
  trx
    .insertInto('setting')
    .values({ section: 'logos', value, version: 1, changed_at })
    .onConflict((conflict) =>
      conflict.column('section').doUpdateSet((eb) => ({ value, changed_at, version: eb('setting.version', '+', 1) })),
    )
    .execute()

export const setCompanyLogo = (trx: Db, id: string, field: 'logo_light' | 'logo_dark', image: string | null) =>
  trx
    .updateTable('company')
    .set({ [field]: image })
    .where('id', '=', id)
    .execute()
