import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { buildTrashUnit } from '../../db/queries/tree.ts'
import { lockTrees } from '../directory/tree.repo.ts'
import type { WrongCounter } from './integrity.repo.ts'

/** More steps than a tree has levels. Ends the query even if parents form a cycle. */
const maxSteps = sql.lit(40)

/**
 * Finds directories whose totals don't match the visible files in them and in the folders below. Uses a single statement, so that it sees
 * totals and files at the same moment.
 */
export async function findWrongDirectoryTotals(db: Db): Promise<WrongCounter[]> {
  const { rows } = await sql<WrongCounter>`select directory.id, directory.name, directory.files, directory.bytes,
      coalesce(actual.files, 0) as counted_files, coalesce(actual.bytes, 0) as counted_bytes
    from directory left join (
      select up.id, sum(up.files) as files, sum(up.bytes) as bytes from (
        with recursive up (id, parent_id, unit, files, bytes, step) as (
          select own.id, own.parent_id, ${buildTrashUnit('own')}, counted.files, counted.bytes, 0 from directory as own
            join (select directory_id, cast(count(*) as bigint) as files, cast(sum(size) as bigint) as bytes from file
              where deleted_at is null group by directory_id) as counted on counted.directory_id = own.id
          union all select parent.id, parent.parent_id, up.unit, up.files, up.bytes, up.step + 1 from directory as parent
            join up on parent.id = up.parent_id where ${buildTrashUnit('parent')} = up.unit and up.step < ${maxSteps})
        select id, files, bytes from up) as up group by up.id) as actual on actual.id = directory.id
    where directory.files <> coalesce(actual.files, 0) or directory.bytes <> coalesce(actual.bytes, 0)`.execute(db)
  return rows.map(({ id, name, ...row }) => ({
    id,
    name,
    files: Number(row.files),
    bytes: Number(row.bytes),
    counted_files: Number(row.counted_files),
    counted_bytes: Number(row.counted_bytes),
  }))
}

/** Corrects the totals of a directory. Call it inside a transaction. */
export async function correctDirectoryTotals(trx: Db, id: string): Promise<void> {
  await lockTrees(trx, [id])
  const { rows } = await sql<{ files: number; bytes: number }>`select count(*) as files, coalesce(sum(size), 0) as bytes from file
    where deleted_at is null and directory_id in (
      with recursive down (id, unit, step) as (
        select own.id, ${buildTrashUnit('own')}, 0 from directory as own where own.id = ${id}
        union all select child.id, down.unit, down.step + 1 from directory as child join down on child.parent_id = down.id
          where ${buildTrashUnit('child')} = down.unit and down.step < ${maxSteps})
      select id from down)`.execute(trx)
  const [counted = { files: 0, bytes: 0 }] = rows
  await trx
    .updateTable('directory')
    .set({ files: Number(counted.files), bytes: Number(counted.bytes) })
    .where('id', '=', id)
    .execute()
}

/** A directory whose columns don't match those of its parent. */
export interface WrongPosition {
  id: string
  name: string
  /** This and the following fields are the correct values of its columns. */
  root_id: string
  depth: number
  deleted_at: string | null
  trashed_with: string | null
}

/**
 * Finds directories with the wrong top-level directory or depth, and folders with the wrong trash state: outside the trash although their
 * parent is in it, or trashed together with a different folder than their parent.
 */
export async function findWrongPositions(db: Db, limit: number): Promise<WrongPosition[]> {
  const isTop = sql`directory.parent_id is null`
  const unit = buildTrashUnit('parent')
  // A folder in the trash was moved there with its parent, or on its own. The hidden folder of a copy in progress is trashed with itself:
  // see features/copy.
  const trashedWith = sql`case when directory.deleted_at is null then nullif(${unit}, '')
    when directory.trashed_with = ${unit} then directory.trashed_with
    when directory.trashed_with = directory.id then directory.id else null end`
  const correct = {
    root_id: sql`case when ${isTop} then directory.id else parent.root_id end`,
    depth: sql`case when ${isTop} then 0 else parent.depth + 1 end`,
    deleted_at: sql`case when ${isTop} then directory.deleted_at else coalesce(directory.deleted_at, parent.deleted_at) end`,
    trashed_with: sql`case when ${isTop} then null else ${trashedWith} end`,
  }
  const { rows } =
    await sql<WrongPosition>`select directory.id, directory.name, ${correct.root_id} as root_id, ${correct.depth} as depth,
      ${correct.deleted_at} as deleted_at, ${correct.trashed_with} as trashed_with
    from directory left join directory as parent on parent.id = directory.parent_id
    where directory.root_id <> ${correct.root_id} or directory.depth <> ${correct.depth}
      or coalesce(directory.deleted_at, '') <> coalesce(${correct.deleted_at}, '')
      or coalesce(directory.trashed_with, '') <> coalesce(${correct.trashed_with}, '')
    order by directory.depth limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, depth: Number(row.depth) }))
}

export const setPosition = (db: Db, { id, name: _, ...position }: WrongPosition) =>
  db.updateTable('directory').set(position).where('id', '=', id).execute()
