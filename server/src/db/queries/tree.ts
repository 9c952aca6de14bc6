import { type RawBuilder, sql } from 'kysely'

/**
 * Builds the condition that the directory in `column` is `ancestor`, or is somewhere below it. Walks up, at most 32 steps, so the cost
 * doesn't depend on the number of folders.
 */
export const isWithin = (column: string, ancestor: string): RawBuilder<boolean> => sql<boolean>`(${sql.ref(column)} = ${ancestor}
  or exists (with recursive up (parent_id) as (
      select inner_directory.parent_id from directory as inner_directory where inner_directory.id = ${sql.ref(column)}
      union all select outer_directory.parent_id from directory as outer_directory join up on outer_directory.id = up.parent_id)
    select 1 from up where up.parent_id = ${ancestor}))`

/** Selects the ids of a directory and of all folders below it, including those in the trash. */
export const selectSubtree = (id: string): RawBuilder<{ id: string }> => sql<{ id: string }>`(with recursive down (id) as (
    select top_directory.id from directory as top_directory where top_directory.id = ${id}
    union all select child.id from directory as child join down on child.parent_id = down.id)
  select down.id from down)`

/** Selects the ids of a directory and of the folders below it that are not in the trash. */
export const selectLiveSubtree = (id: string): RawBuilder<{ id: string }> => sql<{ id: string }>`(with recursive down (id) as (
    select top_directory.id from directory as top_directory where top_directory.id = ${id}
    union all select child.id from directory as child join down on child.parent_id = down.id where child.deleted_at is null)
  select down.id from down)`

/**
 * Builds an expression that identifies what was moved to the trash together: it has the same value for a folder and the folders that were
 * trashed with it, and is empty outside the trash. Totals are sums over such a part of the tree.
 */
export const buildTrashUnit = (table: string): RawBuilder<string> => {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  return sql`case when ${column('deleted_at')} is null then '' else coalesce(${column('trashed_with')}, ${column('id')}) end`
}
