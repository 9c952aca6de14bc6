import type { Db } from '../../db/database.ts'

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
                // Not an inner join: SQLite would reverse it and read every file.
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

/** Deletes the row of a file to purge. Returns false if the file or its directory was restored meanwhile. */
export async function deletePurgeableFile(db: Db, id: string, before: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('file')
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('deleted_at', '<', before),
        eb('directory_id', 'in', eb.selectFrom('directory').select('directory.id').where('directory.deleted_at', '<', before)),
      ]),
    )
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Returns whether there are directories to purge. Only reads, so it is cheaper than `deletePurgeableDirectories`. */
export const hasPurgeableDirectories = async (db: Db, before: string): Promise<boolean> =>
  (await db.selectFrom('directory').select('id').where('deleted_at', '<', before).limit(1).executeTakeFirst()) !== undefined

export const deletePurgeableDirectories = (db: Db, before: string) =>
  db
    .deleteFrom('directory')
    .where('deleted_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('file').select('file.id').whereRef('file.directory_id', '=', 'directory.id'))),
    )
    .returning(['id', 'name', 'company_id'])
    .execute()
