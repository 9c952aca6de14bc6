import type { Deps } from '../../deps.ts'
import { checkSortKeys, setMissingSortKeys } from './integrity.repo.ts'
import type { Check } from './integrity.service.ts'

/** Reports names with a wrong sort key. A repair corrects them. */
export async function checkNameSortKeys(deps: Deps, check: Check): Promise<void> {
  const wrong = await checkSortKeys(deps.db, check.isRepair)
  if (wrong === 0) return
  const text = `${wrong} ${wrong === 1 ? 'name is' : 'names are'} sorted wrongly`
  check.report({ kind: 'order', id: 'name', text, ...(check.isRepair && { done: 'corrected' }) })
}

/** Sets the sort keys of names that nodes with the previous version added during an upgrade. */
export const setSortKeysOfNewNames = (deps: Deps): Promise<void> => setMissingSortKeys(deps.db)
