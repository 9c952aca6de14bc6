import type { ColumnType } from 'kysely'

/** A counter that begins at nothing. */
export type Kept = ColumnType<number, number | undefined, number>
