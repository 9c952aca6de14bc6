import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Schema } from '../../db/schema.ts'

export type VersionRecord = Selectable<Schema['file_version']>

/** The columns that `file` and `file_version` have in common. */
const sharedColumns = [
  'blob_id',
  'size',
  'sha256',
  'crc32',
  'content_type',
  'kind',
  'uploaded_by',
  'link_key',
  'created_at',
  'thumbnail',
  'thumbnail_id',
  'thumbnail_size',
  'damaged_at',
] as const

/** The columns of a file that belong to its current version. */
export type VersionContent = Pick<Insertable<Schema['file']>, (typeof sharedColumns)[number]>

/**
 * Makes the current version of a file an earlier one, and `content` the current one. Call it with the file's directory locked. Both blobs
 * stay referenced.
 */
export async function replaceContent(trx: Db, fileId: string, content: VersionContent, replacedAt: string): Promise<void> {
  const shared = sql.join(sharedColumns.map((column) => sql.ref(column)))
  await sql`insert into file_version (file_id, number, replaced_at, ${shared})
    select id, version, ${replacedAt}, ${shared} from file where id = ${fileId}`.execute(trx)
  await trx
    .updateTable('file')
    .set((eb) => ({ ...content, version: eb('version', '+', 1) }))
    .where('id', '=', fileId)
    .execute()
}

/** Returns the columns of a version that `file` also has. */
export const toContent = (version: VersionRecord): VersionContent => {
  const { file_id: _file, number: _number, replaced_at: _replaced, ...content } = version
  return content
}

export const findVersion = (db: Db, fileId: string, blobId: string): Promise<VersionRecord | undefined> =>
  db.selectFrom('file_version').selectAll().where('file_id', '=', fileId).where('blob_id', '=', blobId).executeTakeFirst()

/** Returns whether a file has this version, the current one or an earlier one. */
export async function hasVersion(db: Db, fileId: string, blobId: string): Promise<boolean> {
  const current = db.selectFrom('file').select('id').where('id', '=', fileId).where('blob_id', '=', blobId)
  return (await current.executeTakeFirst()) !== undefined || (await findVersion(db, fileId, blobId)) !== undefined
}

/** Lists the earlier versions of a file, the newest first. */
export const listVersions = (db: Db, fileId: string, limit: number) =>
  db.selectFrom('file_version').selectAll().where('file_id', '=', fileId).orderBy('number', 'desc').limit(limit).execute()

/** Counts the live links that are pinned to each version of a file. */
export async function countPins(db: Db, fileId: string, now: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('link')
    .select((eb) => ['version', eb.fn.countAll<number>().as('links')])
    .where('file_id', '=', fileId)
    .where('expires_at', '>', now)
    .where('standing', '=', 'open')
    .where('version', 'is not', null)
    .groupBy('version')
    .execute()
  return new Map(rows.map(({ version, links }) => [version ?? '', Number(links)]))
}

/** Deletes an earlier version. Returns undefined if it is gone, or has become the current one. */
export const deleteVersion = (trx: Db, fileId: string, blobId: string): Promise<VersionRecord | undefined> =>
  trx.deleteFrom('file_version').where('file_id', '=', fileId).where('blob_id', '=', blobId).returningAll().executeTakeFirst()

/** Deletes all earlier versions of a file, before the file itself is deleted. Returns them. */
export const deleteVersionsOf = (trx: Db, fileId: string): Promise<VersionRecord[]> =>
  trx.deleteFrom('file_version').where('file_id', '=', fileId).returningAll().execute()

/** Whether an unexpired link is pinned to the version, even if the link doesn't work for a reason that can be fixed. */
const isPinned = (now: string) => sql<boolean>`exists (select 1 from link where link.version = file_version.blob_id
  and link.file_id = file_version.file_id and link.expires_at > ${now})`

/** Lists files with versions that were replaced before a time and to which no link is pinned. */
export async function listFilesWithOldVersions(db: Db, before: string, now: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('file_version')
    .select('file_id')
    .where('replaced_at', '<', before)
    .where(({ not }) => not(isPinned(now)))
    .orderBy('replaced_at')
    .limit(limit)
    .execute()
  return [...new Set(rows.map(({ file_id }) => file_id))]
}

/** Reads a slice of all earlier versions, sorted by file, and counts them per file. `after` is the last file of the previous slice. */
export async function countVersionsByFile(db: Db, after: string, limit: number) {
  const slice = db.selectFrom('file_version').select('file_id').where('file_id', '>', after).orderBy('file_id').limit(limit)
  const rows = await db
    .selectFrom(slice.as('slice'))
    .select((eb) => ['file_id', eb.fn.countAll<number>().as('versions')])
    .groupBy('file_id')
    .orderBy('file_id')
    .execute()
  return rows.map((row) => ({ file_id: row.file_id, versions: Number(row.versions) }))
}

/** Lists the versions of a file to which no link is pinned, the newest first. */
export const listUnpinnedVersions = (db: Db, fileId: string, now: string): Promise<VersionRecord[]> =>
  db
    .selectFrom('file_version')
    .selectAll()
    .where('file_id', '=', fileId)
    .where(({ not }) => not(isPinned(now)))
    .orderBy('number', 'desc')
    .execute()

/** Returns the files that have a link, even an expired one, pinned to one of their versions. */
export async function findPinnedFiles(db: Db, files: string[]): Promise<string[]> {
  if (files.length === 0) return []
  const links = db.selectFrom('link').select('file_id').distinct().where('file_id', 'in', files).where('version', 'is not', null)
  return (await links.execute()).flatMap(({ file_id }) => (file_id === null ? [] : [file_id]))
}
