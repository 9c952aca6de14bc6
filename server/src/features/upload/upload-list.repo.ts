import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { hasAccess, isForeignAdmin, isSelected } from '../../db/queries/company-scope.ts'
import { type PageRequest, type Rows, readPage } from '../../db/queries/paging.ts'
import type { Reach } from '../../lib/actor.ts'

interface Scope {
  /** Empty for all. */
  company: string
  directory: string
  now: string
}

/** Lists unfinished uploads within the caller's reach. */
export const listOpenUploads = (db: Db, request: Scope & PageRequest, reach: Reach) =>
  readPage(
    db,
    {
      table: 'upload',
      columns: { started_at: 'upload.created_at' },
      id: 'upload.id',
      narrow: (rows) => selectOpen(db, rows, request, reach),
      show: (rows) =>
        rows
          .innerJoin('directory', 'directory.id', 'upload.directory_id')
          .innerJoin('company', 'company.id', 'directory.company_id')
          .leftJoin('user as person', 'person.id', 'upload.user_id')
          .leftJoin('link', 'link.key', 'upload.link_key')
          .selectAll('upload')
          .select(['directory.name as directory_name', 'directory.company_id', 'company.name as company_name'])
          .select(['person.name as person_name', 'link.email as link_email'])
          .select(isForeignAdmin('person', reach).as('is_foreign_admin')),
      isFiltered: false,
    },
    request,
  )

export async function sumOpenUploads(db: Db, request: Scope, reach: Reach) {
  const { uploads, reserved } = await selectOpen(db, db.selectFrom('upload'), request, reach)
    .select((eb) => [eb.fn.countAll<number>().as('uploads'), eb.fn.sum<number | null>('upload.reserved').as('reserved')])
    .executeTakeFirstOrThrow()
  return { uploads: Number(uploads), reserved: Number(reserved ?? 0) }
}

/** Selects unfinished uploads that have not expired. */
function selectOpen(db: Db, uploads: Rows<'upload'>, { company, directory, now }: Scope, reach: Reach) {
  let scope = uploads.where('upload.finished_at', 'is', null).where('upload.ends_at', '>', now)
  if (directory !== '') scope = scope.where('upload.directory_id', '=', directory)
  for (const id of [reach.company, company].filter(Boolean)) {
    const directories = db
      .selectFrom('directory')
      .select('directory.id')
      .where('directory.company_id', '=', id ?? '')
    scope = scope.where('upload.directory_id', 'in', directories)
  }
  if (reach.member === undefined) return scope
  const companyOfUpload = sql`(select target.company_id from directory as target where target.id = upload.directory_id)`
  return scope.where(isSelected(companyOfUpload, reach.member))
}

/** Returns an unfinished upload within the caller's reach, no matter who started it. */
export const findOpenUpload = (db: Db, id: string, now: string, reach: Reach) =>
  selectOpen(db, db.selectFrom('upload'), { company: '', directory: '', now }, reach)
    .innerJoin('directory', 'directory.id', 'upload.directory_id')
    .selectAll('upload')
    .select('directory.company_id')
    .where('upload.id', '=', id)
    .executeTakeFirst()

/** Ends the unfinished uploads of these links and returns their ids. The caller must still remove their bytes. */
export const endUploadsOf = (db: Db, links: string[], now: string) =>
  db
    .updateTable('upload')
    .set({ ends_at: now })
    .where('link_key', 'in', links)
    .where('finished_at', 'is', null)
    .returning('id')
    .execute()

/**
 * Lists uploads without progress since a time that reserve more than has arrived, or whose sender can't send more: see
 * `isSenderClosed`.
 */
export const findStalledUploads = (db: Db, since: string, now: string, limit: number) =>
  db
    .selectFrom('upload')
    .leftJoin('link', 'link.key', 'upload.link_key')
    .leftJoin('user as owner', (join) => join.on(sql<boolean>`owner.id = coalesce(upload.user_id, link.maker_id)`))
    .select(['upload.id', 'upload.name', 'upload.received', 'upload.reserved'])
    .select(isSenderClosed(now).as('is_closed'))
    .where('upload.finished_at', 'is', null)
    .where('upload.progress_at', '<=', since)
    .where((eb) => eb.or([eb('upload.reserved', '>', eb.ref('upload.received')), isSenderClosed(now)]))
    .limit(limit)
    .execute()

/**
 * Builds the condition that nobody can continue an upload: its owner is suspended, or its link doesn't work any more. Doesn't include
 * archived companies, whose uploads are kept like any others, because the company may be restored.
 */
const isSenderClosed = (now: string) => sql<boolean>`(owner.suspended_at is not null or (link.key is not null
  and (link.expires_at <= ${now} or not ${hasAccess('owner', 'link.company_id')})))`
