import type { Factors } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { seal, unseal } from '../../lib/secrets.ts'
import { record } from '../audit/audit.service.ts'
import { endTrustInAllBrowsers } from '../session/browser.repo.ts'
import { countTrustedBrowsers } from '../session/browser.service.ts'
import { readFactorPolicy, readPasswordState } from '../session/policy.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import { findUser, lockUser, type UserRecord } from '../user/user.repo.ts'
import { countRecoveryCodes, deleteTotp, findTotp, replaceTotp, useTotpStep } from './factor.repo.ts'
import { renewRecoveryCodes, reportChange, updateAfterAdding, updateAfterRemoving } from './factor-changes.service.ts'
import { normalizeFactorCode } from './recovery-codes.ts'
import { countFactorAttempt, refuseCode } from './second-factor.service.ts'
import { createTotpUri, findTotpStep, newTotpSecret } from './totp.ts'

type Db = Deps['db']

export async function listFactors(deps: Deps, actor: Staff): Promise<Factors> {
  const user = await requireUser(deps, actor)
  const totp = await findTotp(deps.db, user.id)
  const { isRequired, from } = await readFactorPolicy(deps, user.role)
  return {
    password: await readPasswordState(deps, user),
    totp_since: totp?.confirmed_at ?? null,
    has_second_factor: user.second_factor_at !== null,
    recovery_codes: await countRecoveryCodes(deps.db, user.id),
    is_required: isRequired,
    required_from: from,
    trusted_browsers: await countTrustedBrowsers(deps, user),
    trust_days: (await readSettings(deps)).security.trust_days,
  }
}

/** Creates the secret that an authenticator app needs. It takes effect when the user confirms it with a code. */
export async function startTotp(deps: Deps, actor: Staff): Promise<{ secret: string; uri: string }> {
  const secret = newTotpSecret()
  const { name: issuer } = (await readSettings(deps)).organisation
  const user = await changeFactors(deps, actor, async (trx, user) => {
    if ((await findTotp(trx, user.id))?.confirmed_at) throw new AppError('factor.exists')
    const sealed = seal(deps.keys.seal, `totp ${user.id}`, secret)
    const created_at = deps.now().toISOString()
    await replaceTotp(trx, { user_id: user.id, secret: sealed, created_at, confirmed_at: null, last_step: 0 })
    await record(deps, trx, [{ action: 'factor.started', by: actor, company: user.company_id, name: user.email, note: 'totp' }])
    return user
  })
  return { secret, uri: createTotpUri(secret, issuer ?? 'Neptune', user.email) }
}

/** Confirms that the app shows the right codes. Returns recovery codes if this is the user's first second factor. */
export async function confirmTotp(deps: Deps, actor: Staff, code: string): Promise<{ recovery_codes?: string[] }> {
  const takeBack = await countFactorAttempt(deps, await requireUser(deps, actor), actor.client)
  const codes = await changeFactors(deps, actor, async (trx, user) => {
    const totp = await findTotp(trx, user.id)
    if (!totp || totp.confirmed_at !== null) throw new AppError('factor.not_started')
    const secret = unseal(deps.keys.seal, `totp ${user.id}`, totp.secret)
    const now = deps.now()
    const step = findTotpStep(secret, normalizeFactorCode(code), now)
    if (step === undefined || !(await useTotpStep(trx, user.id, step, now.toISOString())))
      throw refuseCode(deps, user, actor.client)
    const codes = await updateAfterAdding(deps, trx, user)
    await reportChange(deps, trx, user, 'totp_added', { action: 'factor.added', by: actor, note: 'totp' })
    return codes
  })
  await takeBack()
  return codes ? { recovery_codes: codes } : {}
}

export const removeTotp = (deps: Deps, actor: Staff): Promise<void> =>
  changeFactors(deps, actor, async (trx, user) => {
    if (!(await findTotp(trx, user.id))?.confirmed_at) throw new AppError('factor.missing')
    await deleteTotp(trx, user.id)
    await updateAfterRemoving(deps, trx, user)
    await reportChange(deps, trx, user, 'totp_removed', { action: 'factor.removed', by: actor, note: 'totp' })
  })

export const renewCodes = (deps: Deps, actor: Staff): Promise<{ recovery_codes: string[] }> =>
  changeFactors(deps, actor, async (trx, user) => {
    if (user.second_factor_at === null) throw new AppError('factor.missing')
    const recovery_codes = await renewRecoveryCodes(deps, trx, user.id)
    await reportChange(deps, trx, user, 'codes_renewed', { action: 'factor.codes_renewed', by: actor })
    return { recovery_codes }
  })

/** Makes every browser ask for the second factor again. */
export const forgetBrowsers = (deps: Deps, actor: Staff): Promise<void> =>
  changeFactors(deps, actor, async (trx, user) => {
    await endTrustInAllBrowsers(trx, user.id)
    await record(deps, trx, [{ action: 'factor.browsers_forgotten', by: actor, company: user.company_id, name: user.email }])
  })

export async function requireUser(deps: Deps, actor: Staff): Promise<UserRecord> {
  const user = await findUser(deps.db, actor.userId)
  if (!user) throw new AppError('session.missing')
  return user
}

/** Runs a change of the caller's factors, one at a time. */
export const changeFactors = <T>(deps: Deps, actor: Staff, change: (trx: Db, user: UserRecord) => Promise<T>): Promise<T> =>
  deps.db.transaction().execute(async (trx) => {
    const user = await lockUser(trx, actor.userId)
    if (!user) throw new AppError('session.missing')
    return change(trx, user)
  })
