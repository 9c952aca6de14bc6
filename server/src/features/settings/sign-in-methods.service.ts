import type { Deps } from '../../deps.ts'
import { AppError } from '../../lib/app-error.ts'
import { hasPassword } from '../../lib/password/passwords.ts'
import { getPasskeyHost } from '../../lib/relying-party.ts'
import { hasPasskey } from '../factor/factor.repo.ts'
import { listProviderRows } from '../provider/provider.repo.ts'
import { hasAdminAt, type Leaving, listAccountsOf } from '../provider/provider-account.repo.ts'
import type { UserRecord } from '../user/user.repo.ts'
import { findSection } from './settings.repo.ts'
import { computeValues, parseValues } from './settings.service.ts'

/**
 * Throws `provider.last_admin` unless an admin can sign in with a provider, and has already done so. Call it inside the transaction of a
 * change after which people can't sign in with a password, with the lock of `lockSignInMethods`.
 */
export async function requireProviderForAdmin(deps: Deps, trx: Deps['db']): Promise<void> {
  if (!(await hasAdminAt(trx, await listIssuers(deps, trx)))) throw new AppError('provider.last_admin')
}

/** Returns the issuers of the providers that people can sign in with. */
async function listIssuers({ config }: Deps, trx: Deps['db']): Promise<string[]> {
  const enabled = (await listProviderRows(trx)).filter(({ disabled_at }) => disabled_at === null)
  return [...config.providers, ...enabled].map(({ issuer }) => issuer)
}

/** Calls `requireProviderForAdmin` if passwords are turned off. */
export async function requireProviderWithoutPasswords(deps: Deps, trx: Deps['db']): Promise<void> {
  if (!(await hasPasswordSignIn(deps, trx))) await requireProviderForAdmin(deps, trx)
}

/**
 * Throws `provider.last_admin` if people can't sign in with a password, and only admins who are leaving can sign in with a provider. Call
 * it inside the transaction in which they lose their rights, before they do, with the lock of `lockSignInMethods`.
 */
export async function requireOtherAdminWithoutPasswords(deps: Deps, trx: Deps['db'], leaving: Leaving): Promise<void> {
  if (await hasPasswordSignIn(deps, trx)) return
  const issuers = await listIssuers(deps, trx)
  if (!(await hasAdminAt(trx, issuers))) return // no admin could sign in with a provider before, either
  if (!(await hasAdminAt(trx, issuers, leaving))) throw new AppError('provider.last_admin')
}

/** Throws `provider.last_way_in` if a user has no way left to sign in: no password, no passkey and no account at a provider. */
export async function requireOwnSignInMethod(deps: Deps, trx: Deps['db'], user: UserRecord): Promise<void> {
  if (hasPassword(user.password_hash) && (await hasPasswordSignIn(deps, trx))) return
  if (await hasPasskey(trx, user.id, getPasskeyHost(deps.config))) return
  const issuers = await listIssuers(deps, trx)
  const accounts = await listAccountsOf(trx, user.id)
  if (!accounts.some(({ issuer }) => issuers.includes(issuer))) throw new AppError('provider.last_way_in')
}

/** Returns whether people can sign in with a password. Reads it from the database, because another node may just have changed it. */
async function hasPasswordSignIn(deps: Deps, trx: Deps['db']): Promise<boolean> {
  const stored = parseValues((await findSection(trx, 'security'))?.value)
  return computeValues(deps, 'security', stored).password_sign_in
}
