import { type Insertable, sql, type Updateable } from 'kysely'
import type { Db } from '../../db/database.ts'
import { isBackupRunning } from '../../db/installation.ts'
import { limitToCompanies } from '../../db/queries/company-scope.ts'
import type { Rows } from '../../db/queries/paging.ts'
import { prepared } from '../../db/queries/prepared-query.ts'
import type { Schema } from '../../db/schema.ts'
import type { Reach } from '../../lib/actor.ts'
import { nameKey } from '../../lib/name-key.ts'

export type FileRecord = NonNullable<Awaited<ReturnType<typeof findFile>>>

const selectFileById = prepared((db, { id, ...reach }: Reach & { id: string }) =>
  selectFiles(db, reach).where('file.id', '=', id),
)

/** Finds a file within the caller's reach, including the trash. */
export const findFile = async (db: Db, id: string, reach: Reach) => (await selectFileById(db, { ...reach, id })).rows[0]

export const findFiles = (db: Db, ids: string[], reach: Reach) => selectFiles(db, reach).where('file.id', 'in', ids).execute()

/** Lists a page of the files in a directory, by name, for its ZIP. `after` is the last key of the page before. */
export const listFilesForZip = (db: Db, directoryId: string, after: string | undefined, limit: number) =>
  db
    .selectFrom('file')
    .select(['id', 'name', 'name_key', 'size', 'crc32', 'created_at', 'damaged_at'])
    .where('directory_id', '=', directoryId)
    .where('deleted_at', 'is', null)
    .$if(after !== undefined, (q) => q.where('name_key', '>', after ?? ''))
    .orderBy('name_key') // unique within a directory
    .limit(limit)
    .execute()

const insertFileRow = prepared((db, row: Insertable<Schema['file']>) =>
  db
    .insertInto('file')
    .values(row)
    .onConflict((c) => c.columns(['directory_id', 'name_key']).where('deleted_at', 'is', null).doNothing()),
)

/** Returns false if the name is taken. */
export const insertFile = async (db: Db, row: Omit<Insertable<Schema['file']>, 'name_key'>): Promise<boolean> =>
  (await insertFileRow(db, { ...row, name_key: nameKey(row.name) })).numAffectedRows === 1n

const selectFileByName = prepared((db, { directory, key }: { directory: string; key: string }) =>
  db
    .selectFrom('file')
    .select(['id', 'size'])
    .where('directory_id', '=', directory)
    .where('name_key', '=', key)
    .where('deleted_at', 'is', null),
)

/** Returns the file with this name in a directory. */
export const findFileByName = async (db: Db, directory: string, name: string) =>
  (await selectFileByName(db, { directory, key: nameKey(name) })).rows[0]

/** Returns the files with these names in a directory. */
export const findFilesByNames = (db: Db, directoryId: string, names: string[]) =>
  db
    .selectFrom('file')
    .select(['id', 'name', 'name_key'])
    .where('directory_id', '=', directoryId)
    .where('name_key', 'in', names.map(nameKey))
    .where('deleted_at', 'is', null)
    .execute()

export const updateFileName = (db: Db, id: string, name: string) =>
  db
    .updateTable('file')
    .set({ name, name_key: nameKey(name) })
    .where('id', '=', id)
    .execute()

/** Returns false if the file is in that state already, or gone. */
export async function setFileDeleted(db: Db, id: string, deleted_at: string | null): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('file')
    .set({ deleted_at })
    .where('id', '=', id)
    .where('deleted_at', deleted_at === null ? 'is not' : 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const addBytes = prepared((db, { id, bytes, maxBefore }: { id: string; bytes: number; maxBefore: number | undefined }) =>
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

const updateDirectoryToLock = prepared((db, { id }: { id: string }) =>
  db
    .updateTable('directory')
    .set((eb) => ({ files: eb.ref('files') }))
    .where('id', '=', id)
    .where('deleted_at', 'is', null),
)

/** Locks a directory against concurrent changes of its contents. Returns false if it is gone or in the trash. */
export const lockDirectory = async (db: Db, id: string): Promise<boolean> =>
  (await updateDirectoryToLock(db, { id })).numAffectedRows === 1n

/** Returns whether a file exists, including the trash. */
export const fileExists = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('file').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

/**
 * Returns whether bytes must stay because a running backup may still read them. Call it in the transaction that removes their row.
 */
export const mustKeepBytes = isBackupRunning

/**
 * Returns the next file whose thumbnail has yet to be drawn, of the first company after `company` that has any: its newest,
 * because that is the one people look at.
 */
export const findFileToDraw = (db: Db, company = '') =>
  db
    .selectFrom('file')
    .select(['id', 'company_id', 'size', 'content_type'])
    .where('thumbnail', '=', sql.lit('wanted')) // a literal, not a parameter: otherwise SQLite can't use the partial index
    .where('company_id', '>', company)
    .orderBy('company_id')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()

type ThumbnailState = Schema['file']['thumbnail']

/** Changes the state of a thumbnail. Returns false if the file is gone or its thumbnail is in another state than `from`. */
export async function setThumbnail(
  db: Db,
  id: string,
  from: ThumbnailState,
  change: Pick<Updateable<Schema['file']>, 'thumbnail' | 'thumbnail_id' | 'thumbnail_size'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('file')
    .set(change)
    .where('id', '=', id)
    .where('thumbnail', '=', from)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Returns those of the ids that belong to a file, a thumbnail, the PDF of a document, or an upload. */
export async function findKnownBlobs(db: Db, ids: string[]): Promise<Set<string>> {
  const files = await db.selectFrom('file').select('id').where('id', 'in', ids).execute()
  const pictures = await db.selectFrom('file').select('thumbnail_id as id').where('thumbnail_id', 'in', ids).execute()
  const renditions = await db.selectFrom('rendition').select('pdf_id as id').where('pdf_id', 'in', ids).execute()
  const uploads = await db.selectFrom('upload').select('id').where('id', 'in', ids).execute()
  return new Set([...files, ...pictures, ...renditions, ...uploads].map(({ id }) => id ?? ''))
}

/** Selects files with the names of their directories and companies. */
export const withNames = (rows: Rows<'file'>) =>
  rows
    .innerJoin('directory', 'directory.id', 'file.directory_id')
    .innerJoin('company', 'company.id', 'file.company_id')
    .selectAll('file')
    .select(['directory.name as directory_name', 'directory.deleted_at as directory_deleted_at'])
    .select(['company.name as company_name', 'company.archived_at as company_archived_at'])

const selectFiles = (db: Db, { directory, file, ...scope }: Reach) =>
  limitToCompanies(withNames(db.selectFrom('file')), 'file.company_id', scope)
    .$if(directory !== undefined, (q) => q.where('file.directory_id', '=', directory ?? ''))
    .$if(file !== undefined, (q) => q.where('file.id', '=', file ?? ''))
