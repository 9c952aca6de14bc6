import { sql } from 'kysely'
import { runInTurn } from '../../lib/concurrency/run-in-turn.ts'
import type { Db } from '../database.ts'
import type { Schema } from '../schema.ts'
import type { Rows } from './paging.ts'

const sliceSize = 500

/**
 * Deletes the rows that `narrow` selects, in slices, so that other requests are served in between. `key` is the table's primary
 * key.
 */
export async function deleteInSlices<Table extends keyof Schema & string>(
  db: Db,
  table: Table,
  key: string,
  narrow: (rows: Rows<Table>) => Rows<Table>,
): Promise<void> {
  const rows = narrow(db.selectFrom(table) as unknown as Rows<Table>)
  const slice = rows.select(sql.ref(key).as('key')).limit(sliceSize)
  const query = sql`delete from ${sql.table(table)} where ${sql.ref(key)} in (${slice})`
  for (;;) {
    const { numAffectedRows } = await runInTurn('', () => query.execute(db))
    if (Number(numAffectedRows ?? 0) < sliceSize) return
  }
}
