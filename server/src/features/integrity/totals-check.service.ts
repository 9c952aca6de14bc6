import type { Deps } from '../../deps.ts'
import { lockHead } from '../audit/audit.repo.ts'
import { storeSums } from '../stats/transfer.repo.ts'
import { correctTotals, findWrongTotals, findWrongTransfers, type WrongTotals } from './integrity.repo.ts'
import type { Check } from './integrity.service.ts'

/** Reports totals of companies that don't match their rows, and sums of selected companies that don't match these totals. */
export async function checkTotals(deps: Deps, check: Check) {
  const report = (id: string, text: string) =>
    check.report({ kind: 'counter', id, text, ...(check.isRepair && { done: 'counted again' }) })
  const wrong = await findWrongTotals(deps.db)
  if (wrong.length > 0 && check.isRepair)
    await deps.db.transaction().execute(async (trx) => lockHead(trx).then(() => correctTotals(trx)))
  for (const totals of wrong)
    report(
      totals.company_id || 'all',
      `totals of ${describe(totals)} say ${format(totals.stored)}; there are ${format(totals.counted)}`,
    )
  for (const { id, email } of await findWrongTransfers(deps.db)) {
    if (check.isRepair) await deps.db.transaction().execute(async (trx) => lockHead(trx).then(() => storeSums(trx, id)))
    report(id, `stored transfers for ${email} (${id}) differ from the sums of the selected companies`)
  }
}

const format = ({ directories, files, links }: WrongTotals['stored']) =>
  `${directories} directories, ${files} files, ${links} links`

function describe({ company_id, name, email }: WrongTotals): string {
  if (company_id === '') return 'all companies'
  return email === null
    ? `company ${JSON.stringify(name)} (${company_id})`
    : `the companies selected for ${email} (${company_id})`
}
