import type { ProviderAccount } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { hashToken } from '../../lib/secrets.ts'
import { reportChange } from '../factor/factor-changes.service.ts'
import { requireOwnSignInMethod, requireProviderWithoutPasswords } from '../settings/sign-in-methods.service.ts'
import { lockUser } from '../user/user.repo.ts'
import { lockSignInMethods } from './provider.repo.ts'
import { listProviders } from './provider.service.ts'
import { deleteAccount, listAccountsOf } from './provider-account.repo.ts'

/** Lists the accounts at providers that the caller can sign in with. */
export async function listOwnAccounts(deps: Deps, actor: Staff): Promise<ProviderAccount[]> {
  const [accounts, providers] = [await listAccountsOf(deps.db, actor.userId), await listProviders(deps)]
  return accounts.map(({ issuer, subject, email, created_at, last_used_at }) => {
    const provider = providers.find((candidate) => candidate.issuer === issuer && candidate.disabledAt === null)
    return {
      id: toAccountId({ issuer, subject }),
      provider: provider ? { id: provider.id, name: provider.name } : null,
      issuer,
      email,
      created_at,
      last_used_at,
    }
  })
}

const toAccountId = ({ issuer, subject }: { issuer: string; subject: string }) => hashToken(`${issuer} ${subject}`)

/** Disconnects an account. Throws if it is the caller's last way to sign in, or the last one of all admins. */
export const removeOwnAccount = (deps: Deps, actor: Staff, id: string): Promise<void> =>
  deps.db.transaction().execute(async (trx) => {
    await lockSignInMethods(trx)
    const user = await lockUser(trx, actor.userId)
    const accounts = user ? await listAccountsOf(trx, user.id) : []
    const account = accounts.find((candidate) => toAccountId(candidate) === id)
    if (!user || !account) throw new AppError('provider.account_not_found')
    await deleteAccount(trx, account)
    await requireOwnSignInMethod(deps, trx, user)
    await requireProviderWithoutPasswords(deps, trx)
    const note = `${account.email} at ${account.issuer}`
    await reportChange(deps, trx, user, 'provider_removed', { action: 'provider.unlinked', by: actor, note })
  })
