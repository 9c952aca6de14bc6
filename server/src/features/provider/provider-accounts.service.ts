import type { ProviderAccount } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { hasPassword } from '../../lib/password/passwords.ts'
import { hashToken } from '../../lib/secrets.ts'
import { reportChange } from '../factor/factor-changes.service.ts'
import { listPasskeys } from '../passkey/passkey.repo.ts'
import { readSettings } from '../settings/settings.service.ts'
import { lockUser, type UserRecord } from '../user/user.repo.ts'
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

/** Disconnects an account. Throws `provider.last_way_in` if it is the caller's last way to sign in. */
export const removeOwnAccount = (deps: Deps, actor: Staff, id: string): Promise<void> =>
  deps.db.transaction().execute(async (trx) => {
    const user = await lockUser(trx, actor.userId)
    const accounts = user ? await listAccountsOf(trx, user.id) : []
    const account = accounts.find((candidate) => toAccountId(candidate) === id)
    if (!user || !account) throw new AppError('provider.account_not_found')
    const others = accounts.filter((other) => other !== account).map(({ issuer }) => issuer)
    if (!(await hasOtherWayIn({ ...deps, db: trx }, user, others))) throw new AppError('provider.last_way_in')
    await deleteAccount(trx, account)
    const note = `${account.email} at ${account.issuer}`
    await reportChange(deps, trx, user, 'provider_removed', { action: 'provider.unlinked', by: actor, note })
  })

/** Returns whether someone can sign in with a password, a passkey or another account. */
async function hasOtherWayIn(deps: Deps, user: UserRecord, issuers: string[]): Promise<boolean> {
  if (hasPassword(user.password_hash) && (await readSettings(deps)).security.password_sign_in) return true
  if ((await listPasskeys(deps.db, user.id)).length > 0) return true
  return (await listProviders(deps)).some(({ issuer, disabledAt }) => disabledAt === null && issuers.includes(issuer))
}
