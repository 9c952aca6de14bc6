import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** The columns of a company, and the keys in the section `appearance`, that have the id of an image. */
export const logoFields = ['logo_light', 'logo_dark'] as const
export type LogoField = (typeof logoFields)[number]

export const findBrandImages = (db: Db, ids: string[]) =>
  db.selectFrom('brand_image').select(['id', 'width', 'height']).where('id', 'in', ids).execute()

export const hasBrandImages = async (db: Db) =>
  (await db.selectFrom('brand_image').select('id').limit(1).executeTakeFirst()) !== undefined

/** Selects the ids of the images that a company or, according to `ofOrganisation`, the organisation uses. */
const selectUsed = (ofOrganisation: string[]) =>
  sql`(select logo_light from company where logo_light is not null union select logo_dark from company where logo_dark is not null
    ${sql.join(
      ofOrganisation.map((id) => sql`union select ${id}`),
      sql` `,
    )})`

/** Notes since when images are unused. Clears the note of those that are used again. */
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

export const deleteBrandImages = (trx: Db, ids: string[]) => trx.deleteFrom('brand_image').where('id', 'in', ids).execute()

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

export const removeCompanyLogo = (trx: Db, id: string, field: LogoField) =>
  trx
    .updateTable('company')
    .set({ [field]: null })
    .where('id', '=', id)
    .execute()
