import { type Insertable, sql, type Updateable } from 'kysely'
import type { Db } from '../../db/database.ts'
import { isBackupRunning } from '../../db/installation.ts'
import { isForeignAdmin, limitToCompanies } from '../../db/queries/company-scope.ts'
import { isSharedBy } from '../../db/queries/link-files.ts'
import { isOneOf } from '../../db/queries/merged-companies.ts'
import type { Rows } from '../../db/queries/paging.ts'
import { prepareQuery } from '../../db/queries/prepared-query.ts'
import { isWithin } from '../../db/queries/tree.ts'
import type { Schema } from '../../db/schema.ts'
import { type CompanyScope, type Reach, unnamedAdmin } from '../../lib/actor.ts'
import { toNameKey } from '../../lib/names/name-key.ts'
import { toNameColumns } from '../../lib/names/name-order.ts'

export type FileRecord = NonNullable<Awaited<ReturnType<typeof findFile>>>

const selectFileById = prepareQuery((db, { id, ...reach }: Reach & { id: string }) =>
  selectFiles(db, reach).where('file.id', '=', id),
)

/** Finds a file within the caller's reach, including the trash. */
export const findFile = async (db: Db, id: string, reach: Reach) => (await selectFileById(db, { ...reach, id })).rows[0]

export const findFiles = (db: Db, ids: string[], reach: Reach) => selectFiles(db, reach).where('file.id', 'in', ids).execute()

/**
 * Lists files in these directories for a ZIP. If there is only one directory, sorts them by name; `after` is the last key of the previous
 * page.
 */
export const listFilesForZip = (db: Db, directories: string[], after: string | undefined, limit: number) =>
  selectFilePage(db, directories, after, limit)
    .select(['id', 'blob_id', 'directory_id as parent', 'name', 'name_key', 'size', 'crc32', 'created_at', 'damaged_at'])
    .execute()

/** Lists files in these directories for an export, like `listFilesForZip`. */
export const listFilesForExport = (
  db: Db,
  scope: CompanyScope,
  directories: string[],
  after: string | undefined,
  limit: number,
) =>
  limitToCompanies(selectFilePage(db, directories, after, limit), 'file.company_id', scope)
    .select(['id', 'company_id', 'directory_id as parent', 'name', 'name_key', 'size', 'sha256', 'created_at'])
    .execute()

const selectFilePage = (db: Db, directories: string[], after: string | undefined, limit: number) =>
  db
    .selectFrom('file')
    .where('directory_id', 'in', directories)
    .where('deleted_at', 'is', null)
    .$if(after !== undefined, (q) => q.where('name_key', '>', after ?? ''))
    .$if(directories.length === 1, (q) => q.orderBy('name_key')) // unique within a directory
    .limit(limit)

const insertFileRow = prepareQuery((db, row: Insertable<Schema['file']>) =>
  db
    .insertInto('file')
    .values(row)
    .onConflict((c) => c.columns(['directory_id', 'name_key']).where('deleted_at', 'is', null).doNothing()),
)

/** Returns false if the name is taken. */
export const insertFile = async (db: Db, row: Omit<Insertable<Schema['file']>, 'name_key' | 'name_order'>): Promise<boolean> =>
  (await insertFileRow(db, { ...row, ...toNameColumns(row.name) })).numAffectedRows === 1n

const selectFileByName = prepareQuery((db, { directory, key }: { directory: string; key: string }) =>
  db
    .selectFrom('file')
    .select(['id', 'name', 'version', 'size', 'sha256', 'content_type'])
    .where('directory_id', '=', directory)
    .where('name_key', '=', key)
    .where('deleted_at', 'is', null),
)

/** Returns the file with this name in a directory. */
export const findFileByName = async (db: Db, directory: string, name: string) =>
  (await selectFileByName(db, { directory, key: toNameKey(name) })).rows[0]

/** Returns the files with these names in a directory. */
export const findFilesByNames = (db: Db, directoryId: string, names: string[]) =>
  db
    .selectFrom('file')
    .select(['id', 'name', 'name_key', 'version'])
    .where('directory_id', '=', directoryId)
    .where('name_key', 'in', names.map(toNameKey))
    .where('deleted_at', 'is', null)
    .execute()

export const updateFileName = (db: Db, id: string, name: string) =>
  db
    .updateTable('file')
    .set({ name, ...toNameColumns(name) })
    .where('id', '=', id)
    .execute()

/** Moves a file and the links to it to a directory, under a name that must be free there. */
export async function placeFile(
  db: Db,
  id: string,
  { name, ...to }: { directory_id: string; company_id: string; name: string },
): Promise<void> {
  const key = { name, ...toNameColumns(name) }
  await db
    .updateTable('file')
    .set({ ...to, ...key })
    .where('id', '=', id)
    .execute()
  await db
    .updateTable('link')
    .set({ ...to, ...key })
    .where('file_id', '=', id)
    .execute()
}

/** Returns false if the file is already in that state, or gone. */
export async function setFileDeleted(db: Db, id: string, deleted_at: string | null): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('file')
    .set({ deleted_at })
    .where('id', '=', id)
    .where('deleted_at', deleted_at === null ? 'is not' : 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const addBytes = prepareQuery((db, { id, bytes, maxBefore }: { id: string; bytes: number; maxBefore: number | undefined }) =>
  db
    .updateTable('company')
    .set((eb) => ({ bytes: eb('bytes', '+', bytes) }))
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .$if(maxBefore !== undefined, (q) => q.where('bytes', '<=', maxBefore ?? 0)),
)

/** Adds the size of a new file to the bytes of a company. Returns false if that exceeds the quota or the company is archived. */
export async function addToCompanyBytes(db: Db, id: string, bytes: number, quota: number | undefined): Promise<boolean> {
  const maxBefore = quota !== undefined && bytes > 0 ? quota - bytes : undefined
  return (await addBytes(db, { id, bytes, maxBefore })).numAffectedRows === 1n
}

/** Subtracts the size of a removed file from the bytes of a company. Returns false if the company does not exist. */
export async function subtractFromCompanyBytes(db: Db, id: string, bytes: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('company')
    .set((eb) => ({ bytes: eb('bytes', '-', bytes) }))
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Returns whether a file, a version, a thumbnail or the PDF of a document has these bytes, including the trash. */
export const isBlobInUse = async (db: Db, id: string): Promise<boolean> => (await findUsedBlobs(db, [id])).includes(id)

/**
 * Returns whether bytes must stay because a running backup may still read them. Call it in the transaction that removes their row.
 */
export const mustKeepBytes = isBackupRunning

/**
 * Returns a file whose thumbnail has yet to be drawn: the newest one of the first company after `company` that has such files. The newest,
 * because that is the one people look at.
 */
export const findFileToDraw = (db: Db, company = '') =>
  db
    .selectFrom('file')
    .select(['id', 'blob_id', 'company_id', 'size', 'content_type'])
    .where('thumbnail', '=', sql.lit('wanted')) // a literal, not a parameter: otherwise SQLite can't use the partial index
    .where('company_id', '>', company)
    .orderBy('company_id')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()

type ThumbnailState = Schema['file']['thumbnail']

/**
 * Changes the state of the thumbnail of these bytes. Returns false if they are gone or their thumbnail is in another state than `from`.
 * They may have become an earlier version of their file meanwhile.
 */
export async function setThumbnail(
  db: Db,
  { id, blob_id }: { id: string; blob_id: string },
  from: ThumbnailState,
  change: Pick<Updateable<Schema['file']>, 'thumbnail' | 'thumbnail_id' | 'thumbnail_size'>,
): Promise<boolean> {
  const current = db.updateTable('file').set(change).where('id', '=', id).where('blob_id', '=', blob_id)
  if ((await current.where('thumbnail', '=', from).executeTakeFirst()).numUpdatedRows === 1n) return true
  const older = db.updateTable('file_version').set(change).where('file_id', '=', id).where('blob_id', '=', blob_id)
  return (await older.where('thumbnail', '=', from).executeTakeFirst()).numUpdatedRows === 1n
}

/** Returns those of the ids that belong to a file, a version, a thumbnail, the PDF of a document, or an upload. */
export async function findKnownBlobs(db: Db, ids: string[]): Promise<Set<string>> {
  const used = await findUsedBlobs(db, ids)
  const uploads = await db.selectFrom('upload').select('id').where('id', 'in', ids).execute()
  return new Set([...used, ...uploads.map(({ id }) => id)])
}

/**
 * Returns those of the ids that are in use. Must be a single statement, which sees all rows at the same moment. Otherwise, bytes that move
 * from one table to the other at that time would look unused.
 */
async function findUsedBlobs(db: Db, ids: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('file')
    .select('blob_id as id')
    .where('id', 'in', ids)
    .whereRef('blob_id', '=', 'id')
    // The index has only files whose `blob_id` differs from their id.
    .unionAll((eb) => eb.selectFrom('file').select('blob_id as id').where('blob_id', 'in', ids).whereRef('blob_id', '<>', 'id'))
    .unionAll((eb) => eb.selectFrom('file').select(withThumbnail).where('thumbnail_id', 'in', ids))
    .unionAll((eb) => eb.selectFrom('file_version').select('blob_id as id').where('blob_id', 'in', ids))
    .unionAll((eb) => eb.selectFrom('file_version').select(withThumbnail).where('thumbnail_id', 'in', ids))
    .unionAll((eb) => eb.selectFrom('rendition').select(withPdf).where('pdf_id', 'in', ids))
    .execute()
  return rows.map(({ id }) => id)
}

const withThumbnail = sql<string>`thumbnail_id`.as('id')
const withPdf = sql<string>`pdf_id`.as('id')

/** The number of versions of a file, including the current one. Files that were never replaced need no subquery. */
const countVersions = sql<number>`case when file.version = 1 then 1
  else 1 + (select count(*) from file_version where file_version.file_id = file.id) end`

/** Selects files with the names of their directories and companies, and the number of their versions. */
export const withNames = (rows: Rows<'file'>) =>
  rows
    .innerJoin('directory', 'directory.id', 'file.directory_id')
    .innerJoin('company', 'company.id', 'file.company_id')
    .selectAll('file')
    .select(['directory.name as directory_name', 'directory.deleted_at as directory_deleted_at'])
    .select('directory.parent_id as directory_parent_id')
    .select(['company.name as company_name', 'company.archived_at as company_archived_at'])
    .select(countVersions.as('versions'))

/** Returns the names of users. The names of admins whom a caller with this scope may not see are replaced. */
export async function findUploaders(db: Db, ids: readonly (string | null)[], scope: CompanyScope): Promise<Map<string, string>> {
  const users = [...new Set(ids)].filter((id) => id !== null)
  if (users.length === 0) return new Map()
  const rows = await db
    .selectFrom('user')
    .select(['id', 'name', isForeignAdmin('user', scope).as('is_foreign_admin')])
    .where(isOneOf(db, 'user.id', users))
    .execute()
  return new Map(rows.map(({ id, name, is_foreign_admin }) => [id, is_foreign_admin ? unnamedAdmin : name]))
}

/** The columns that lists of files can be sorted by. */
export const fileColumns = {
  columns: { created_at: 'file.created_at', name: 'file.name_order', size: 'file.size', deleted_at: 'file.deleted_at' },
  id: 'file.id',
}

export const fileNames = { table: 'file', id: 'seq', index: 'file_search', indexId: 'rowid' } as const

/** Selects the files with these `seq` values. The limit does not change the result, but keeps SQLite from choosing another plan. */
export const selectFilesBySeq = (db: Db, seqs: (string | number)[]) => {
  const rows = db
    .selectFrom('file')
    .selectAll()
    .where(isOneOf(db, 'file.seq', seqs))
    .limit(seqs.length)
  return db.selectFrom(rows.as('file')) as unknown as Rows<'file'>
}

/** A link to a directory gives access to the files in all folders below. A link to files gives access to them, even after a move. */
const selectFiles = (db: Db, { directory, file, link, ...scope }: Reach) =>
  limitToCompanies(withNames(db.selectFrom('file')), 'file.company_id', scope)
    .$if(directory !== undefined && file === undefined, (q) => q.where(isWithin('file.directory_id', directory ?? '')))
    .$if(file !== undefined, (q) => q.where('file.id', '=', file ?? ''))
    .$if(link !== undefined, (q) => q.where(isSharedBy(link ?? '')))
