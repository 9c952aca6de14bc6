import { type SelectQueryBuilder, sql } from 'kysely'
import { createCursorError } from '../../lib/cursor-error.ts'
import type { Schema } from '../schema.ts'

export type Rows<Table extends keyof Schema> = SelectQueryBuilder<Schema, Table, object>

/** The sort value and the id of a row, from which the next page or slice starts. */
export interface Key {
  page_value: string | number
  page_id: string | number
}

export type PageOrder = ReturnType<typeof buildOrder>

export function buildOrder(columns: Record<string, string>, id: string, sort: string) {
  const isDescending = sort.startsWith('-')
  const name = columns[sort.replace('-', '')] ?? Object.values(columns)[0] ?? id
  const column = sql.ref(name)
  const direction = isDescending ? 'desc' : 'asc'
  const value = sql<string | number>`${column}`.as('page_value')
  return {
    direction,
    /**
     * The sort order that cursors belong to. Lists by name used to be sorted by another key, and their cursors started with `sort`. Such
     * cursors are rejected, because they would point to an arbitrary row.
     */
    cursorSort: name.endsWith('.name_order') ? `${isDescending ? '-' : ''}name_order` : sort,
    /** Sorts selected keys. For lists sorted by id, one column is enough: with both, SQLite would sort rows that are already in order. */
    ofKeys: sql.raw(name === id ? `page_value ${direction}` : `page_value ${direction}, page_id ${direction}`),
    value,
    key: [value, sql<string>`${sql.ref(id)}`.as('page_id')],
    /** Returns the rows in order, starting after a key, and ending before another one. */
    // biome-ignore lint/suspicious/noExplicitAny: which tables are joined makes no difference here.
    applyTo<Query extends SelectQueryBuilder<any, any, any>>(rows: Query, after?: Key, before?: Key): Query {
      const compare = (operator: '<' | '>', key: Key) =>
        sql<boolean>`(${column}, ${sql.ref(id)}) ${sql.raw(operator)} (${key.page_value}, ${key.page_id})`
      let sorted = rows.orderBy(column, direction).orderBy(sql.ref(id), direction) as Query
      if (after) sorted = sorted.where(compare(isDescending ? '<' : '>', after)) as Query
      if (before) sorted = sorted.where(compare(isDescending ? '>' : '<', before)) as Query
      return sorted
    },
  }
}

export const encodeCursor = (...parts: (string | number)[]) => JSON.stringify(parts)

/**
 * Decodes a cursor of a list in the order `sort`. Rejects one that was created for another order, because it would point to
 * an arbitrary row.
 */
export function decodeCursor(cursor: string, sort: string): Key {
  const [order, page_value, page_id] = JSON.parse(cursor) as [string, string | number, string]
  if (order !== sort) throw createCursorError()
  return { page_value, page_id }
}
