import type { Deps } from '../../deps.ts'
import type { Check } from './integrity.service.ts'
import { correctDirectoryTotals, findWrongDirectoryTotals, findWrongPositions, setPosition } from './tree-check.repo.ts'

const pageSize = 500
/** A repair corrects a folder from its parent, so each round corrects one more level. */
const maxRounds = 40

/** Reports folders whose columns don't match those of their parents. */
export async function checkTrees(deps: Deps, check: Check): Promise<void> {
  const reported = new Set<string>()
  for (let round = 0; round < maxRounds; round++) {
    const wrong = await findWrongPositions(deps.db, pageSize)
    for (const position of wrong) {
      if (check.isRepair) await deps.db.transaction().execute((trx) => setPosition(trx, position))
      if (reported.has(position.id)) continue
      reported.add(position.id)
      const text = `directory ${JSON.stringify(position.name)} (${position.id}) has the wrong position in its tree`
      check.report({ kind: 'counter', id: position.id, text, ...(check.isRepair && { done: 'corrected' }) })
    }
    if (!check.isRepair || wrong.length === 0) return
  }
}

/** Reports directories whose totals don't match the files in them and in the folders below. */
export async function checkDirectoryTotals(deps: Deps, check: Check): Promise<void> {
  for (const { id, name, files, bytes, counted_files, counted_bytes } of await findWrongDirectoryTotals(deps.db)) {
    if (check.isRepair) await deps.db.transaction().execute((trx) => correctDirectoryTotals(trx, id))
    const text = `directory ${JSON.stringify(name)} (${id}) says ${files} files, ${bytes} bytes; there are ${counted_files} files, ${counted_bytes} bytes`
    check.report({ kind: 'counter', id, text, ...(check.isRepair && { done: 'counted again' }) })
  }
}
