import { createHash } from 'node:crypto'
import {
  clearTable,
  insertIntoTable,
  markLost,
  movedTables,
  type Row,
  readPages,
  resetFileSequence,
  runInSnapshot,
} from '../db/dump.ts'
import { findFact, insertFact } from '../db/installation.ts'
import type { Deps } from '../deps.ts'
import { findHead } from '../features/audit/audit.repo.ts'
import { record } from '../features/audit/audit.service.ts'
import type { Copied, Lost } from './move-blobs.ts'
import { countInWords, progress, UsageError } from './terminal.ts'

const rowsEach = 1000

/**
 * Copies all rows, reads them back and compares, and marks what came without its bytes: all in one transaction, with which the place is
 * complete or, whatever happens, as empty as before. Tells how many rows.
 */
export function moveRows(
  from: Deps,
  to: Deps,
  { head, lost, lostPictures }: Pick<Copied, 'lost' | 'lostPictures'> & { head: Head },
  signal: AbortSignal,
): Promise<number> {
  return to.db.transaction().execute(async (target) => {
    const store = (await findFact(target, 'store')) ?? ''
    const sums = await runInSnapshot(from.db, async (source) => {
      // Every change has its line there, so this says whether the bytes that were just copied are those of these rows.
      if (!isSameHead(head, await findHead(source)))
        throw new UsageError(
          'Somebody changed something here meanwhile. Stop every Neptune that works with it, and run it again.',
        )
      return copyRows(source, target, signal)
    })
    for (const [table, key] of movedTables) {
      const there = new RowsSum()
      for await (const page of readPages(target, table, key, rowsEach)) there.add(page)
      if (sums.get(table)?.digest() !== there.digest())
        throw new UsageError(`The rows of the table ${table} do not come out as they went in. Nothing was moved.`)
    }
    await resetFileSequence(target)
    await insertFact(target, 'store', store)
    const now = to.now().toISOString()
    for (const id of [...lost.map(({ row }) => String(row['id'])), ...lostPictures]) await markLost(target, id, now)
    await record(to, target, lost.filter(isNews).map(lineOf))
    return [...sums.values()].reduce((sum, { count }) => sum + count, 0)
  })
}

async function copyRows(source: Deps['db'], target: Deps['db'], signal: AbortSignal): Promise<Map<string, RowsSum>> {
  const sums = new Map<string, RowsSum>()
  const bar = progress()
  for (const [table, key] of movedTables) {
    const sum = new RowsSum()
    await clearTable(target, table)
    for await (const page of readPages(source, table, key, rowsEach)) {
      signal.throwIfAborted()
      await insertIntoTable(target, table, page)
      sum.add(page)
      bar.show(`${table}: ${countInWords(sum.count, 'row')}`)
    }
    sums.set(table, sum)
  }
  bar.clear()
  return sums
}

export type Head = Awaited<ReturnType<typeof findHead>>

const isSameHead = (one: Head, other: Head) => one?.seq === other?.seq && one?.mac === other?.mac

export const isNews = ({ row }: Lost) => row['damaged_at'] === null

const lineOf = ({ row, problem }: Lost) => ({
  action: 'file.damaged' as const,
  by: { kind: 'operator' as const },
  company: String(row['company_id']),
  directory: String(row['directory_id']),
  file: String(row['id']),
  name: String(row['name']),
  size: Number(row['size']),
  note: problem,
})

/** Over rows in any order: two databases sort letters differently, and a table has no two rows alike. */
class RowsSum {
  count = 0
  readonly #sum = Buffer.alloc(32)

  add(rows: Row[]) {
    for (const row of rows) {
      const columns = Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))
      const digest = createHash('sha256').update(JSON.stringify(columns)).digest()
      for (let i = 0; i < 32; i++) this.#sum[i] = (this.#sum[i] ?? 0) ^ (digest[i] ?? 0)
      this.count++
    }
  }

  digest = () => `${this.count} ${this.#sum.toString('hex')}`
}
