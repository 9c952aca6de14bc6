import { sql } from 'kysely'
import { type Db, isSqlite, unlessDuplicate } from '../../db/database.ts'
import { prepareQuery } from '../../db/queries/prepared-query.ts'
import { buildTrashUnit, selectLiveSubtree, selectSubtree } from '../../db/queries/tree.ts'
import { toNameColumns } from '../../lib/names/name-order.ts'

/** A directory whose tree is locked. */
export interface LockedDirectory {
  id: string
  root_id: string
  parent_id: string | null
  depth: number
  company_id: string
  name: string
  deleted_at: string | null
  trashed_with: string | null
  files: number
  bytes: number
}

const lockedColumns = [
  'id',
  'root_id',
  'parent_id',
  'depth',
  'company_id',
  'name',
  'deleted_at',
  'trashed_with',
  'files',
  'bytes',
] as const

/** Locks the top-level directories in the order of their ids, so that no two transactions deadlock. */
const lockRoots = (trx: Db, ids: string[]) =>
  sql`select id from directory where id in (select root_id from directory where id in (${sql.join(ids)}))
    order by id for no key update`.execute(trx)

/**
 * Locks the trees of these directories against concurrent changes: adding, moving, renaming and removing of files and folders. Returns the
 * directories that exist, including those in the trash. Locks the row of each top-level directory. If a directory is moved to another
 * top-level directory while this waits for the lock, it locks that one, too.
 */
export async function lockTrees(trx: Db, ids: string[]): Promise<Map<string, LockedDirectory>> {
  if (ids.length === 0) return new Map()
  for (let locked: Set<string> | undefined; ; ) {
    if (!isSqlite(trx)) {
      const { rows } = (await lockRoots(trx, ids)) as { rows: { id: string }[] }
      locked = new Set([...(locked ?? []), ...rows.map(({ id }) => id)])
    }
    const rows = await readLockedColumns(trx, ids)
    if (!locked || rows.every(({ root_id }) => locked?.has(root_id))) return new Map(rows.map((row) => [row.id, row]))
  }
}

const selectLockedColumns = prepareQuery((db, { id }: { id: string }) =>
  db.selectFrom('directory').select(lockedColumns).where('id', '=', id),
)

async function readLockedColumns(trx: Db, ids: string[]): Promise<LockedDirectory[]> {
  const [id = ''] = ids
  const rows =
    ids.length === 1
      ? (await selectLockedColumns(trx, { id })).rows
      : await trx.selectFrom('directory').select(lockedColumns).where('id', 'in', ids).execute()
  return rows.map((row) => ({ ...row, files: Number(row.files), bytes: Number(row.bytes) }))
}

/** Locks the tree of a directory. Returns undefined if the directory is gone or in the trash. */
export async function lockDirectory(trx: Db, id: string): Promise<LockedDirectory | undefined> {
  const directory = (await lockTrees(trx, [id])).get(id)
  return directory?.deleted_at === null ? directory : undefined
}

const updateTotals = prepareQuery((db, { id, files, bytes }: { id: string; files: number; bytes: number }) => ({
  compile: () =>
    sql<{ id: string; deleted_at: string | null }>`update directory set files = files + ${files}, bytes = bytes + ${bytes}
      where id in (with recursive up (id, parent_id, unit) as (
          select inner_directory.id, inner_directory.parent_id, ${buildTrashUnit('inner_directory')} from directory as inner_directory
            where inner_directory.id = ${id}
          union all select outer_directory.id, outer_directory.parent_id, up.unit from directory as outer_directory
            join up on outer_directory.id = up.parent_id where ${buildTrashUnit('outer_directory')} = up.unit)
        select up.id from up)
      returning id, deleted_at`.compile(db),
}))

/**
 * Adds to the totals of a directory and of those that contain it. Call it with the tree locked. Returns by how many files the totals of its
 * company change (see `addToTotals`), which don't include directories in the trash. The bytes of the company include the trash, and are
 * updated separately.
 */
export async function addToDirectoryTotals(
  db: Db,
  id: string,
  { files, bytes }: { files: number; bytes: number },
): Promise<number> {
  const { rows } = await updateTotals(db, { id, files, bytes })
  return rows.find((row) => row.id === id)?.deleted_at === null ? files : 0
}

/** One directory of a path. */
export interface PathPart {
  id: string
  name: string
  parent_id: string | null
  deleted_at: string | null
}

/** Returns the paths of these directories: each from the top-level directory down to the directory itself. */
export async function findPaths(db: Db, ids: string[]): Promise<Map<string, PathPart[]>> {
  const paths = new Map<string, PathPart[]>()
  if (ids.length === 0) return paths
  const { rows } = await sql<PathPart & { start: string }>`select * from (
    with recursive up (start, id, name, parent_id, deleted_at, depth) as (
      select id, id, name, parent_id, deleted_at, depth from directory where id in (${sql.join(ids)})
      union all select up.start, directory.id, directory.name, directory.parent_id, directory.deleted_at, directory.depth
        from directory join up on directory.id = up.parent_id)
    select start, id, name, parent_id, deleted_at, depth from up) as paths order by start, depth`.execute(db)
  for (const { start, id, name, parent_id, deleted_at } of rows)
    paths.set(start, [...(paths.get(start) ?? []), { id, name, parent_id, deleted_at }])
  return paths
}

const selectTaken = prepareQuery((db, { id, key }: { id: string; key: string }) =>
  db
    .selectFrom('file')
    .select(['id', 'name_key'])
    .where('directory_id', '=', id)
    .where('name_key', '=', key)
    .where('deleted_at', 'is', null)
    .unionAll(
      db
        .selectFrom('directory')
        .select(['id', 'name_key'])
        .where('parent_id', '=', id)
        .where('name_key', '=', key)
        .where('deleted_at', 'is', null),
    ),
)

/** Returns the file or folder with this name key in a directory. */
export const findByNameKey = async (db: Db, id: string, key: string) => (await selectTaken(db, { id, key })).rows[0]

/** Returns those of the name keys that files and folders in a directory have. */
export async function findTakenKeys(db: Db, id: string, keys: string[]): Promise<Set<string>> {
  const files = db.selectFrom('file').select('name_key').where('directory_id', '=', id).where('deleted_at', 'is', null)
  const folders = db.selectFrom('directory').select('name_key').where('parent_id', '=', id).where('deleted_at', 'is', null)
  const taken = [
    ...(await files.where('name_key', 'in', keys).execute()),
    ...(await folders.where('name_key', 'in', keys).execute()),
  ]
  return new Set(taken.map(({ name_key }) => name_key))
}

/** Returns the greatest depth and the greatest path length of the folders below a directory. */
export async function measureSubtree(db: Db, id: string): Promise<{ depth: number; length: number }> {
  const { rows } = await sql<{ depth: number; length: number }>`with recursive down (id, depth, length) as (
      select id, 0, 0 from directory where id = ${id}
      union all select directory.id, down.depth + 1, down.length + 1 + length(directory.name)
        from directory join down on directory.parent_id = down.id)
    select max(depth) as depth, max(length) as length from down`.execute(db)
  return { depth: Number(rows[0]?.depth ?? 0), length: Number(rows[0]?.length ?? 0) }
}

/** Counts the folders in a top-level directory, including the trash. */
export async function countFolders(db: Db, rootId: string): Promise<number> {
  const { count } = await db
    .selectFrom('directory')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('root_id', '=', rootId)
    .where('parent_id', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Counts the folders below a directory, including the trash. */
export async function countFoldersBelow(db: Db, id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${selectSubtree(id)} as counted`.execute(db)
  return Number(rows[0]?.count ?? 1) - 1
}

/** Moves a folder and everything below it to a directory, under a name that must be free there. Renames the links to the folder. */
export async function placeFolder(
  db: Db,
  folder: Pick<LockedDirectory, 'id' | 'root_id' | 'depth'>,
  parent: Pick<LockedDirectory, 'id' | 'root_id' | 'depth'>,
  name: string,
): Promise<void> {
  const key = { name, ...toNameColumns(name) }
  await db
    .updateTable('directory')
    .set({ parent_id: parent.id, ...key })
    .where('id', '=', folder.id)
    .execute()
  await db.updateTable('link').set(key).where('directory_id', '=', folder.id).where('file_id', 'is', null).execute()
  const deeper = parent.depth + 1 - folder.depth
  if (deeper === 0 && parent.root_id === folder.root_id) return
  await sql`update directory set root_id = ${parent.root_id}, depth = depth + ${sql.lit(deeper)}
    where id in ${selectSubtree(folder.id)}`.execute(db)
}

/** Moves a folder and the folders below it to the trash. */
export async function trashTree(db: Db, id: string, deleted_at: string): Promise<void> {
  await sql`update directory set deleted_at = ${deleted_at}, trashed_with = case when id = ${id} then null else ${id} end
    where id in ${selectLiveSubtree(id)}`.execute(db)
}

/**
 * Restores a directory, and the folders that were moved to the trash with it. Returns false if it is a top-level directory whose name is
 * taken.
 */
export const untrashTree = (db: Db, id: string) =>
  unlessDuplicate(
    db
      .updateTable('directory')
      .set({ deleted_at: null, trashed_with: null })
      .where(({ eb, or }) => or([eb('id', '=', id), eb('trashed_with', '=', id)]))
      .execute(),
  )
