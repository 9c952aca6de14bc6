import { type SelectQueryBuilder, sql } from 'kysely'
import { AppError } from '../lib/app-error.ts'

export interface PageRequest {
  limit: number
  cursor?: string | undefined
  /** A name of `columns`, with a minus before it for descending; the first of them when nothing is asked for. */
  sort?: string | undefined
}

/**
 * One page of a query, in order, from where the last one ended. By the value and the id of the last row rather than by a number
 * of rows to skip: so a page costs the same wherever it is, and rows that come and go do not shift it.
 */
export async function readPage<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { limit, cursor, sort = '' }: PageRequest,
  columns: Record<string, string>,
  id: string,
  { isFewRows = false } = {},
): Promise<{ rows: Row[]; next: string | null }> {
  const isDown = sort.startsWith('-')
  const ref = columns[sort.replace('-', '')] ?? Object.values(columns)[0] ?? id
  // SQLite's sign for "sort it yourself": going through a whole index for the sake of its order would take longer.
  const column = isFewRows ? sql`+${sql.ref(ref)}` : sql.ref(ref)
  const direction = isDown ? 'desc' : 'asc'
  let page = query
    .select([sql<string | number>`${column}`.as('page_value'), sql<string>`${sql.ref(id)}`.as('page_id')])
    .orderBy(column, direction)
    .orderBy(sql.ref(id), direction)
    .limit(limit + 1)
  if (cursor) {
    const [value, last] = readCursor(cursor, sort, ref.endsWith('.size'))
    page = page.where(sql<boolean>`(${column}, ${sql.ref(id)}) ${sql.raw(isDown ? '<' : '>')} (${value}, ${last})`)
  }
  const rows = (await page.execute()) as (Row & { page_value: string | number; page_id: string })[]
  const end = rows.length > limit ? rows[limit - 1] : undefined
  return { rows: rows.slice(0, limit), next: end ? writeCursor(sort, end.page_value, end.page_id) : null }
}

/** Whether a column of small letters has what a person looks for anywhere in it, taking none of its signs for a wildcard. */
export function contains(column: string, search: string) {
  const pattern = `%${search.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql<boolean>`${sql.ref(column)} like ${pattern} escape '\\'`
}

const writeCursor = (...parts: (string | number)[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')

/** Bound to the order it was made in: under another one it would point nowhere in particular. */
function readCursor(cursor: string, sort: string, isNumber: boolean): [value: string | number, id: string] {
  try {
    const [order, value, id]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const isValue = isNumber ? Number.isSafeInteger(value) : typeof value === 'string' && !/\p{Cc}/u.test(value)
    if (order === sort && isValue && typeof id === 'string' && !/\p{Cc}/u.test(id)) return [value as string | number, id]
  } catch {
    // Not one of ours: said below.
  }
  throw new AppError('request.invalid', {
    fields: [{ field: 'cursor', message: 'This cursor does not belong to this list and order.' }],
  })
}
