import type { Deps } from '../../deps.ts'
import type { Check } from './integrity.service.ts'
import { correctReferences, findWrongReferences, findWrongVersions } from './references.repo.ts'

/**
 * Compares the stored reference count of each blob with the rows that refer to it. Bytes are removed with their last reference, so a count
 * that is too low could lose bytes that are still needed. Also checks that the earlier versions of each file have lower numbers than the
 * current one, and other bytes.
 */
export async function checkReferences(deps: Deps, check: Check): Promise<void> {
  for (const { blob_id, stored, counted } of await findWrongReferences(deps.db)) {
    if (check.isRepair) await deps.db.transaction().execute((trx) => correctReferences(trx, blob_id))
    const text = `blob ${blob_id} is stored with ${stored} references; there are ${counted}`
    check.report({ kind: 'counter', id: blob_id, text, ...(check.isRepair && { done: 'counted again' }) })
  }
  for (const { id, name, version, number, blob_id, earlier_blob_id } of await findWrongVersions(deps.db)) {
    const report = (fault: string) =>
      check.report({ kind: 'version', id, text: `${JSON.stringify(name)} (${id}): earlier version ${number} ${fault}` })
    if (number >= version) report(`is not lower than the current version ${version}`)
    if (earlier_blob_id === blob_id) report(`has the same stored bytes as the current version ${version}`)
  }
}
