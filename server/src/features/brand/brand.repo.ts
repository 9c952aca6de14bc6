import type { Logos } from '@neptune/contract'
import { type Insertable, sql } from 'kysely'
import { type Db, takeAdvisoryLock } from '../../db/database.ts'
import type { Schema } from '../../db/schema.ts'

/** The columns of a company that have the id of an image. */
export const logoFields = ['logo_light', 'logo_dark'] as const
type LogoField = (typeof logoFields)[number]

/** The ids of the images that the organisation uses. It has an icon for each of its logos. */
export type LogoIds = { [Field in LogoField | 'icon_light' | 'icon_dark']?: string | null }

/** Inserts an image. If the same image is already stored, only marks it as used again. */
export const insertImage = (trx: Db, image: Omit<Insertable<Schema['brand_image']>, 'unused_at'>) =>
  trx
    .insertInto('brand_image')
    .values(image)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ unused_at: null }))
    .execute()

/** Returns the bytes of an image, in base64. */
export const findImageBytes = async (db: Db, id: string) =>
  (await db.selectFrom('brand_image').select('bytes').where('id', '=', id).executeTakeFirst())?.bytes

export const toImagePath = (id: string) => `/brand/${id}.png`

/** Returns the logos of the organisation or of a company. */
export async function findLogos(db: Db, { logo_light, logo_dark }: LogoIds): Promise<Logos> {
  const ids = [logo_light, logo_dark].filter((id) => typeof id === 'string')
  const images = await findImageSizes(db, ids)
  const find = (logo: string | null | undefined) => {
    const image = images.find(({ id }) => id === logo)
    return image ? { url: toImagePath(image.id), width: image.width, height: image.height } : null
  }
  return { light: find(logo_light), dark: find(logo_dark) }
}

export const findImageSizes = async (db: Db, ids: string[]) =>
  ids.length === 0 ? [] : db.selectFrom('brand_image').select(['id', 'width', 'height']).where('id', 'in', ids).execute()

/** Keeps the logos of the organisation from being changed by others until the end of the transaction. */
export const lockLogos = (trx: Db) => takeAdvisoryLock(trx, 'logos')

export async function findLogoIds(db: Db): Promise<LogoIds> {
  const row = await db.selectFrom('setting').select('value').where('section', '=', 'logos').executeTakeFirst()
  return row ? JSON.parse(row.value) : {}
}

export async function saveLogoIds(trx: Db, ids: LogoIds, changed_at: string): Promise<void> {
  const value = JSON.stringify(ids)
  await trx
    .insertInto('setting')
    .values({ section: 'logos', value, version: 1, changed_at })
    .onConflict((conflict) =>
      conflict.column('section').doUpdateSet((eb) => ({ value, changed_at, version: eb('setting.version', '+', 1) })),
    )
    .execute()
}

export const setCompanyLogo = (trx: Db, id: string, field: LogoField, image: string | null) =>
  trx
    .updateTable('company')
    .set({ [field]: image })
    .where('id', '=', id)
    .execute()

/** Lists companies whose logo has no image. */
export const listCompaniesWithoutImage = (db: Db, field: LogoField) =>
  db
    .selectFrom('company')
    .leftJoin('brand_image', 'brand_image.id', `company.${field}`)
    .select(['company.id', 'company.name'])
    .where(`company.${field}`, 'is not', null)
    .where('brand_image.id', 'is', null)
    .orderBy('company.id')
    .execute()

export const hasImages = async (db: Db) =>
  (await db.selectFrom('brand_image').select('id').limit(1).executeTakeFirst()) !== undefined

/** Selects the ids of the images in use: those of companies, and `ofOrganisation`, those of the organisation. */
const selectUsed = (ofOrganisation: string[]) =>
  sql`(select logo_light from company where logo_light is not null union select logo_dark from company where logo_dark is not null
    ${sql.join(
      ofOrganisation.map((id) => sql`union select ${id}`),
      sql` `,
    )})`

/** Stores the time from which images are unused, and clears it for those that are used again. */
export async function markUnusedImages(trx: Db, ofOrganisation: string[], now: string): Promise<void> {
  const used = selectUsed(ofOrganisation)
  await sql`update brand_image set unused_at = null where unused_at is not null and id in ${used}`.execute(trx)
  await sql`update brand_image set unused_at = ${now} where unused_at is null and id not in ${used}`.execute(trx)
}

/** Lists images that have been unused since before `before`. */
export async function listUnusedImages(db: Db, ofOrganisation: string[], before: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from brand_image
    where unused_at < ${before} and id not in ${selectUsed(ofOrganisation)} order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Deletes images, except those that a transaction meanwhile uses again. */
export const deleteUnusedImages = (trx: Db, ids: string[]) =>
  trx.deleteFrom('brand_image').where('id', 'in', ids).where('unused_at', 'is not', null).execute()
