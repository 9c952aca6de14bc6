import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { type PageRequest, readPage } from '../../db/paging.ts'
import type { Reach } from '../../lib/actor.ts'

interface UploadRequest extends PageRequest {
  /** Empty for all. */
  company: string
  directory: string
  now: string
}

/** Unfinished uploads within the caller's reach. */
export const listOpenUploads = (db: Db, request: UploadRequest, reach: Reach) =>
  readPage(
    openUploads(db, request, reach)
      .innerJoin('company', 'company.id', 'directory.company_id')
      .leftJoin('user as person', 'person.id', 'upload.user_id')
      .leftJoin('link', 'link.key', 'upload.link_key')
      .selectAll('upload')
      .select(['directory.name as directory_name', 'directory.company_id', 'company.name as company_name'])
      .select(['person.name as person_name', 'link.email as link_email']),
    request,
    { started_at: 'upload.created_at' },
    'upload.id',
  )

export async function sumOpenUploads(db: Db, request: UploadRequest, reach: Reach) {
  const { uploads, reserved } = await openUploads(db, request, reach)
    .select((eb) => [eb.fn.countAll<number>().as('uploads'), eb.fn.sum<number | null>('upload.reserved').as('reserved')])
    .executeTakeFirstOrThrow()
  return { uploads: Number(uploads), reserved: Number(reserved ?? 0) }
}

const openUploads = (db: Db, { company, directory, now }: UploadRequest, reach: Reach) =>
  db
    .selectFrom('upload')
    .innerJoin('directory', 'directory.id', 'upload.directory_id')
    .where('upload.finished_at', 'is', null)
    .where('upload.ends_at', '>', now)
    .$if(reach.company !== undefined, (q) => q.where('directory.company_id', '=', reach.company ?? ''))
    .$if(company !== '', (q) => q.where('directory.company_id', '=', company))
    .$if(directory !== '', (q) => q.where('upload.directory_id', '=', directory))

/** An unfinished upload within the caller's reach, whoever began it. */
export const findOpenUpload = (db: Db, id: string, now: string, reach: Reach) =>
  openUploads(db, { company: '', directory: '', now, limit: 1 }, reach)
    .selectAll('upload')
    .select('directory.company_id')
    .where('upload.id', '=', id)
    .executeTakeFirst()

/** Ends the unfinished uploads of these links and returns their ids. Their bytes are still to be removed. */
export const endUploadsOf = (db: Db, links: string[], now: string) =>
  db
    .updateTable('upload')
    .set({ ends_at: now })
    .where('link_key', 'in', links)
    .where('finished_at', 'is', null)
    .returning('id')
    .execute()

/**
 * Uploads without progress since then that reserve more than has arrived, or whose owner can send nothing any more: a link that is
 * expired or paused, or a suspended person.
 */
export const listStalled = (db: Db, since: string, now: string, limit: number) =>
  db
    .selectFrom('upload')
    .leftJoin('link', 'link.key', 'upload.link_key')
    .leftJoin('user as owner', (join) => join.on(sql<boolean>`owner.id = coalesce(upload.user_id, link.maker_id)`))
    .select(['upload.id', 'upload.name', 'upload.received', 'upload.reserved'])
    .select(isClosed(now).as('is_closed'))
    .where('upload.finished_at', 'is', null)
    .where('upload.progress_at', '<=', since)
    .where((eb) => eb.or([eb('upload.reserved', '>', eb.ref('upload.received')), isClosed(now)]))
    .limit(limit)
    .execute()

const isClosed = (now: string) => sql<boolean>`(owner.suspended_at is not null or (link.key is not null
  and (link.expires_at <= ${now} or not (owner.role = 'NEPTUNE_ADMIN' or owner.company_id = link.company_id))))`
