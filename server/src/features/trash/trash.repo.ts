import { sql } from 'kysely'
import { type Db, isSqlite } from '../../db/database.ts'
import { selectLinksToFile, selectSharedFiles, sharesSeveral } from '../../db/queries/link-files.ts'

/** Finds files to purge: those deleted before a time, alone or with their directory. */
export const findPurgeableFiles = (db: Db, before: string, limit: number, after?: string) =>
  db
    .selectFrom('file')
    .innerJoin('directory', 'directory.id', 'file.directory_id')
    .select(['file.id', 'file.company_id', 'file.directory_id', 'file.deleted_at', 'file.size', 'file.thumbnail_id', 'file.name'])
    // Two subqueries, each with its own index and limit: a single one would scan every file.
    .where('file.id', 'in', (eb) =>
      eb
        .selectFrom(
          eb
            .selectFrom('file as deleted_file')
            .select('deleted_file.id')
            .where('deleted_file.deleted_at', '<', before)
            .$if(after !== undefined, (q) => q.where('deleted_file.id', '>', after ?? '').orderBy('deleted_file.id'))
            .limit(limit)
            .as('deleted_alone'),
        )
        .select('deleted_alone.id')
        .union(
          eb
            .selectFrom(
              eb
                .selectFrom('directory as deleted_directory')
                // A cross join, because SQLite would reverse an inner join and read every file.
                .crossJoin('file as contained_file')
                .whereRef('contained_file.directory_id', '=', 'deleted_directory.id')
                .select('contained_file.id')
                .where('deleted_directory.deleted_at', '<', before)
                .$if(after !== undefined, (q) => q.where('contained_file.id', '>', after ?? '').orderBy('contained_file.id'))
                .limit(limit)
                .as('deleted_with_directory'),
            )
            .select('deleted_with_directory.id'),
        ),
    )
    .$if(after !== undefined, (q) => q.where('file.id', '>', after ?? '').orderBy('file.id'))
    .limit(limit)
    .execute()

const isPurgeable = (before: string) =>
  sql<boolean>`(file.deleted_at < ${before} or file.directory_id in (select id from directory where deleted_at < ${before}))`

/**
 * Locks a file to purge, so that it can't be restored, replaced or copied before the transaction ends. Returns undefined if the file or its
 * directory was restored meanwhile.
 */
export function lockPurgeableFile(trx: Db, id: string, before: string) {
  const rows = trx.selectFrom('file').selectAll().where('id', '=', id).where(isPurgeable(before))
  return isSqlite(trx) ? rows.executeTakeFirst() : rows.forUpdate().executeTakeFirst()
}

export const deleteFile = (trx: Db, id: string) => trx.deleteFrom('file').where('id', '=', id).execute()

/**
 * Deletes the links to a file, and returns their companies, one for each. A link to several files stays as long as one of the others
 * exists, even in the trash.
 */
export async function deleteLinksToFile(trx: Db, id: string): Promise<string[]> {
  const isOnlyFile = sql<boolean>`link.key in ${selectLinksToFile(id)} and not exists (select 1 from link_file
    where link_file.link_key = link.key and link_file.file_id <> ${id})`
  const links = await trx.deleteFrom('link').where(isOnlyFile).returning('company_id').execute()
  return links.map(({ company_id }) => company_id)
}

/**
 * Moves links to several files from a directory to purge to the directory of one of their files that was moved out of it, so that they still
 * work afterwards.
 */
const relocateLinks = (db: Db, before: string) =>
  sql`update link set directory_id = ${selectColumn('id')}, name = ${selectColumn('name')}, name_key = ${selectColumn('name_key')},
      name_order = ${selectColumn('name_order')}
    where ${sharesSeveral} and exists ${selectSharedFiles()} and link.directory_id in (
      select id from directory where deleted_at < ${before} and ${isEmptyDirectory})`.execute(db)

/** Selects a column of the directory that contains the first of the files that a link shares. */
const selectColumn = (
  column: string,
) => sql`(select ${sql.ref(`directory.${column}`)} from directory join file on file.directory_id = directory.id
  where file.id in ${selectSharedFiles()} order by file.id limit 1)`

/** Returns whether there are directories to purge. Only reads, so it is cheaper than `deletePurgeableDirectories`. */
export const hasPurgeableDirectories = async (db: Db, before: string): Promise<boolean> =>
  (await db.selectFrom('directory').select('id').where('deleted_at', '<', before).limit(1).executeTakeFirst()) !== undefined

const isEmptyDirectory = sql<boolean>`(not exists (select 1 from file where file.directory_id = directory.id)
  and not exists (select 1 from directory as child where child.parent_id = directory.id))`

/**
 * Deletes directories to purge that have become empty, and the links to them. Call it until it deletes nothing, because a folder can be
 * deleted only after its subfolders. Returns the directories, and the company of each deleted link.
 */
export async function deletePurgeableDirectories(db: Db, before: string) {
  const purgeable = db.selectFrom('directory').select('id').where('deleted_at', '<', before).where(isEmptyDirectory)
  await relocateLinks(db, before)
  const links = await db.deleteFrom('link').where('directory_id', 'in', purgeable).returning('company_id').execute()
  const directories = await db
    .deleteFrom('directory')
    .where('id', 'in', purgeable)
    .returning(['id', 'name', 'company_id', 'trashed_with'])
    .execute()
  return { directories, companiesOfLinks: links.map(({ company_id }) => company_id) }
}
