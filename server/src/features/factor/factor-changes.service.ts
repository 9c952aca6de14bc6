import type { Deps } from '../../deps.ts'
import { AppError } from '../../lib/app-error.ts'
import { emails } from '../../mail/emails.ts'
import type { FactorChange } from '../../mail/sign-in-emails.ts'
import { type Entry, record } from '../audit/audit.service.ts'
import { type Compose, enqueueMail } from '../outbox/outbox.service.ts'
import { endTrust } from '../session/browser.repo.ts'
import { readFactorPolicy } from '../session/policy.service.ts'
import { findUser, type UserRecord } from '../user/user.repo.ts'
import { deletePasskeys, deleteTotp, findTotp, listPasskeyIds, replaceRecoveryCodes, setSecondFactorAt } from './factor.repo.ts'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'

type Db = Deps['db']

/** Stores that a user has added a factor. Returns new recovery codes if it is their first. The caller must hold the lock of the user. */
export async function addedFactor(deps: Deps, trx: Db, user: UserRecord): Promise<string[] | undefined> {
  if (user.second_factor_at !== null) return undefined
  await setSecondFactorAt(trx, user.id, deps.now().toISOString())
  return renewRecoveryCodes(deps, trx, user.id)
}

/**
 * Stores that a user has removed a factor. Throws `factor.required` if they need one and this was the last. The caller must hold the lock
 * of the user.
 */
export async function removedFactor(deps: Deps, trx: Db, user: UserRecord): Promise<void> {
  const isLast = !(await findTotp(trx, user.id))?.confirmed_at && (await listPasskeyIds(trx, user.id)).length === 0
  if (!isLast) return
  const { isRequired, from } = await readFactorPolicy({ ...deps, db: trx }, user.role)
  if (isRequired && from === null) throw new AppError('factor.required')
  await forgetFactors(trx, user.id)
}

/** Removes every second factor of a user. */
export async function removeAllFactors(trx: Db, userId: string): Promise<void> {
  await deleteTotp(trx, userId)
  await deletePasskeys(trx, userId)
  await forgetFactors(trx, userId)
}

async function forgetFactors(trx: Db, userId: string): Promise<void> {
  await setSecondFactorAt(trx, userId, null)
  await replaceRecoveryCodes(trx, userId, [])
  await endTrust(trx, userId)
}

export async function renewRecoveryCodes(deps: Deps, trx: Db, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes()
  await replaceRecoveryCodes(
    trx,
    userId,
    codes.map((code) => hashRecoveryCode(deps.keys.recovery, userId, code)),
  )
  return codes
}

/** Records a change, and tells the user by email. Call it last in the transaction. */
export async function reportChange(
  deps: Deps,
  trx: Db,
  user: UserRecord,
  change: FactorChange,
  entry: Pick<Entry, 'action' | 'by' | 'note'>,
): Promise<void> {
  await enqueueMail(deps, trx, { letter: 'factor_changed', to: user.email, about: `${user.id} ${change}` })
  await record(deps, trx, [{ ...entry, company: user.company_id, name: user.email }])
}

export const composeFactorChanged: Compose = async (deps, { about }) => {
  const [userId = '', change = ''] = about.split(' ')
  const user = await findUser(deps.db, userId)
  return (
    user && {
      write: emails.factorChanged({
        name: user.name,
        change: change as FactorChange,
        url: `${deps.config.publicUrl}/account`,
      }),
    }
  )
}
