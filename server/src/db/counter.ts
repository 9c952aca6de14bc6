import type { ColumnType } from 'kysely'

/** A counter column, which defaults to 0. */
export type Counter = ColumnType<number, number | undefined, number>
