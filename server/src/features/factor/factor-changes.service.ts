import type { Deps } from '../../deps.ts'
import { AppError } from '../../lib/app-error.ts'
import { getPasskeyHost } from '../../lib/relying-party.ts'
import { emails } from '../../mail/emails/emails.ts'
import type { FactorChange } from '../../mail/emails/sign-in-emails.ts'
import { type Entry, record } from '../audit/audit.service.ts'
import { type Compose, enqueueMail } from '../outbox/outbox.service.ts'
import { endTrustInAllBrowsers } from '../session/browser.repo.ts'
import { readFactorPolicy } from '../session/policy.service.ts'
import { findUser, type UserRecord } from '../user/user.repo.ts'
import {
  deleteFactorReset,
  deletePasskeys,
  deleteTotp,
  findTotp,
  hasPasskey,
  replaceRecoveryCodes,
  setSecondFactorAt,
} from './factor.repo.ts'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'

type Db = Deps['db']

/** Updates a user who has added a factor. Returns new recovery codes if it is their first. The caller must hold the lock of the user. */
export async function updateAfterAdding(deps: Deps, trx: Db, user: UserRecord): Promise<string[] | undefined> {
  if (user.second_factor_at !== null) return undefined
  await setSecondFactorAt(trx, user.id, deps.now().toISOString())
  return renewRecoveryCodes(deps, trx, user.id)
}

/**
 * Updates a user who has removed a factor. Throws `factor.required` if they need one and this was the last. Passkeys that don't work with
 * the current PUBLIC_URL don't count, and are removed with the last factor. The caller must hold the lock of the user.
 */
export async function updateAfterRemoving(deps: Deps, trx: Db, user: UserRecord): Promise<void> {
  if ((await findTotp(trx, user.id))?.confirmed_at || (await hasPasskey(trx, user.id, getPasskeyHost(deps.config)))) return
  const { isRequired, from } = await readFactorPolicy({ ...deps, db: trx }, user.role)
  if (isRequired && from === null) throw new AppError('factor.required')
  await removeAllFactors(trx, user.id)
}

/**
 * Removes every second factor of a user, with their recovery codes and trusted browsers. Also removes a request to do so, because it would
 * remove what they set up next.
 */
export async function removeAllFactors(trx: Db, userId: string): Promise<void> {
  await deleteFactorReset(trx, userId)
  await deleteTotp(trx, userId)
  await deletePasskeys(trx, userId)
  await setSecondFactorAt(trx, userId, null)
  await replaceRecoveryCodes(trx, userId, [])
  await endTrustInAllBrowsers(trx, userId)
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

/** Records a change, and notifies the user by email. Call it last in the transaction. */
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

/** Composes an email about a second factor. `about` has the user's id, what happened, and the name of a passkey that may have been copied. */
export const composeFactorChanged: Compose = async (deps, { about }) => {
  const [userId = '', change = '', ...passkey] = about.split(' ')
  const user = await findUser(deps.db, userId)
  if (!user) return undefined
  const reader = { name: user.name, url: `${deps.config.publicUrl}/account` }
  if (change === 'passkey_copied') return { write: emails.passkeyCopied({ ...reader, passkey: passkey.join(' ') }) }
  return { write: emails.factorChanged({ ...reader, change: change as FactorChange }) }
}
