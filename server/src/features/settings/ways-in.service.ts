import type { Deps } from '../../deps.ts'
import { AppError } from '../../lib/app-error.ts'
import { listProviderRows } from '../provider/provider.repo.ts'
import { hasAdminAt } from '../provider/provider-account.repo.ts'
import { findSection } from './settings.repo.ts'
import { computeValues, parseValues } from './settings.service.ts'

/**
 * Throws `provider.last_way_in` unless an admin can sign in with a provider, and has already done so. Call it inside the transaction of a
 * change after which people can't sign in with a password, with the lock of `lockWaysIn`.
 */
export async function requireProviderForAdmin({ config }: Deps, trx: Deps['db']): Promise<void> {
  const enabled = (await listProviderRows(trx)).filter(({ disabled_at }) => disabled_at === null)
  const issuers = [...config.providers, ...enabled].map(({ issuer }) => issuer)
  if (!(await hasAdminAt(trx, issuers))) throw new AppError('provider.last_way_in')
}

/** Does the same, but only if passwords are turned off. Reads this from the database, because another node may just have changed it. */
export async function requireProviderWithoutPasswords(deps: Deps, trx: Deps['db']): Promise<void> {
  const stored = parseValues((await findSection(trx, 'security'))?.value)
  if (!computeValues(deps, 'security', stored).password_sign_in) await requireProviderForAdmin(deps, trx)
}
