import { createHash } from 'node:crypto'
import {
  clearTable,
  type DumpRow,
  insertIntoTable,
  markLost,
  movedTables,
  readPages,
  resetFileSequence,
  runInSnapshot,
} from '../../db/dump.ts'
import { insertInstallationValue, readInstallationValue } from '../../db/installation.ts'
import type { Deps } from '../../deps.ts'
import { findHead } from '../../features/audit/audit.repo.ts'
import { record } from '../../features/audit/audit.service.ts'
import { CommandError, createProgressLine, formatCount } from '../terminal.ts'
import type { CopyResult, LostFile } from './move-blobs.ts'

/**
 * Copies all rows, reads them back, compares them, and marks files whose bytes are lost. All of this is one transaction, so the target is
 * either complete or as empty as before. Returns the number of rows.
 */
export function moveRows(
  from: Deps,
  to: Deps,
  { head, lost, lostThumbnails }: Pick<CopyResult, 'lost' | 'lostThumbnails'> & { head: Head },
  signal: AbortSignal,
): Promise<number> {
  return to.db.transaction().execute(async (target) => {
    const store = (await readInstallationValue(target, 'store')) ?? ''
    const digests = await runInSnapshot(from.db, async (source) => {
      // Every change adds an audit entry, so an unchanged head means that the copied bytes match these rows.
      if (!isSameHead(head, await findHead(source)))
        throw new CommandError(
          'Something was changed here during the move. Stop Neptune on every node and run the command again.',
        )
      return copyRows(source, target, signal)
    })
    for (const [table, key] of movedTables) {
      const copy = new RowsDigest()
      for await (const page of readPages(target, table, key)) copy.add(page)
      if (digests.get(table)?.digest() !== copy.digest())
        throw new CommandError(`The rows of the table ${table} differ from those that were written. Nothing was moved.`)
    }
    await resetFileSequence(target)
    await insertInstallationValue(target, 'store', store)
    const now = to.now().toISOString()
    for (const id of [...lost.map(({ row }) => row.blob_id), ...lostThumbnails]) await markLost(target, id, now, true)
    await record(to, target, lost.filter(isNewDamage).map(toAuditEntry))
    return [...digests.values()].reduce((total, { count }) => total + count, 0)
  })
}

async function copyRows(source: Deps['db'], target: Deps['db'], signal: AbortSignal): Promise<Map<string, RowsDigest>> {
  const digests = new Map<string, RowsDigest>()
  const progress = createProgressLine()
  for (const [table, key] of movedTables) {
    const digest = new RowsDigest()
    await clearTable(target, table)
    for await (const page of readPages(source, table, key)) {
      signal.throwIfAborted()
      await insertIntoTable(target, table, page)
      digest.add(page)
      progress.show(`${table}: ${formatCount(digest.count, 'row')}`)
    }
    digests.set(table, digest)
  }
  progress.clear()
  return digests
}

/** The last entry of the audit log. */
export type Head = Awaited<ReturnType<typeof findHead>>

const isSameHead = (one: Head, other: Head) => one?.seq === other?.seq && one?.mac === other?.mac

/** Returns false for damage that was already marked. */
export const isNewDamage = ({ row }: LostFile) => row.damaged_at === null

const toAuditEntry = ({ row, problem }: LostFile) => ({
  action: 'file.damaged' as const,
  by: { kind: 'operator' as const },
  company: row.company_id,
  directory: row.directory_id,
  file: row.file_id,
  name: row.name,
  size: Number(row.size),
  note: problem,
})

/** Hashes rows regardless of their order, because two databases sort text differently. No table has two identical rows. */
class RowsDigest {
  count = 0
  readonly #xor = Buffer.alloc(32)

  add(rows: DumpRow[]) {
    for (const row of rows) {
      const columns = Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))
      const digest = createHash('sha256').update(JSON.stringify(columns)).digest()
      for (let i = 0; i < 32; i++) this.#xor[i] = (this.#xor[i] ?? 0) ^ (digest[i] ?? 0)
      this.count++
    }
  }

  digest = () => `${this.count} ${this.#xor.toString('hex')}`
}
