import type { CompanyDetails } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { record } from '../audit/audit.service.ts'
import { lockSignInMethods } from '../provider/provider.repo.ts'
import { requireOtherAdminWithoutPasswords } from '../settings/sign-in-methods.service.ts'
import { hasOtherAdmin, listUserIds, lockAdmins, refreshStandingsSoon } from '../user/user.repo.ts'
import { findCompany, setCompanyArchived } from './company.repo.ts'
import { readCompany } from './company.service.ts'

/**
 * Archives a company. Nothing is deleted: every query that finds a session, a token, a visit or a webhook checks whether the company is
 * archived. So archiving takes effect with the next request, on every node. Archiving a company twice changes nothing.
 */
export const archiveCompany = (deps: Deps, actor: Staff, id: string): Promise<CompanyDetails> =>
  changeArchived(deps, actor, id, deps.now().toISOString())

/** Restores an archived company. Its sessions, tokens, links and webhooks work again, unless they have expired meanwhile. */
export const restoreCompany = (deps: Deps, actor: Staff, id: string): Promise<CompanyDetails> =>
  changeArchived(deps, actor, id, null)

async function changeArchived(deps: Deps, actor: Staff, id: string, archived_at: string | null): Promise<CompanyDetails> {
  await deps.db.transaction().execute(async (trx) => {
    await lockSignInMethods(trx)
    await lockAdmins(trx)
    const company = await findCompany(trx, id)
    if (!company) throw new AppError('company.not_found')
    if (archived_at !== null) {
      if (!(await hasOtherAdmin(trx, { company_id: id }))) throw new AppError('company.last_admin')
      await requireOtherAdminWithoutPasswords(deps, trx, { company_id: id })
    }
    if (!(await setCompanyArchived(trx, id, archived_at))) return
    const action = archived_at === null ? 'company.restored' : 'company.archived'
    await record(deps, trx, [{ action, by: actor, company: id, name: company.name }])
  })
  // Also refreshes the links that people of the company own in other companies.
  const owners = await listUserIds(deps.db, id)
  await refreshStandingsSoon(deps.db, [{ company_id: id }, ...owners.map((maker_id) => ({ maker_id }))], (err) =>
    deps.log.error({ err, company: id }, 'the states of links could not be refreshed'),
  )
  return readCompany(deps, actor, id)
}
