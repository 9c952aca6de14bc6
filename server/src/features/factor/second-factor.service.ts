import type { Problem } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../lib/app-error.ts'
import { toClientKey } from '../../lib/net/client-address.ts'
import { getPasskeyHost } from '../../lib/relying-party.ts'
import { unseal } from '../../lib/secrets.ts'
import { record, recordLater } from '../audit/audit.service.ts'
import { enqueueMail } from '../outbox/outbox.service.ts'
import { isTrustedBrowser } from '../session/browser.service.ts'
import { endChallenge, readChallenge, startChallenge } from '../session/challenge.service.ts'
import { type ClientDetails, type Proof, type SignedIn, startSession, toStaff } from '../session/session.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import { countAttempt, countUses } from '../throttle/throttle.service.ts'
import { findUser, type UserRecord } from '../user/user.repo.ts'
import { maySignIn } from '../user/user.service.ts'
import { countRecoveryCodes, findTotp, hasPasskey, useRecoveryCode, useTotpStep } from './factor.repo.ts'
import { applyDueReset } from './factor-reset.service.ts'
import { hashRecoveryCode, normalizeFactorCode } from './recovery-codes.ts'
import { findTotpStep } from './totp.ts'

type Db = Deps['db']

/** The result of the first step of a sign-in. */
export interface FirstFactorStep extends Pick<Proof, 'method' | 'remember' | 'provider' | 'confirmedAt'> {
  /** Whether the provider has already checked a second factor. */
  hasSecondFactor?: boolean
}

interface PendingSignIn extends FirstFactorStep {
  /** The user's generation at the first step. If it changes, the sign-in ends, just like the user's sessions. */
  generation: number
}

/**
 * Starts a session for someone who has completed the first step of a sign-in. If they need their second factor, throws
 * `session.second_factor` instead, with a challenge that completes the sign-in.
 */
export async function finishSignIn(
  deps: Deps,
  caller: ClientDetails,
  user: UserRecord,
  { hasSecondFactor, ...step }: FirstFactorStep,
): Promise<SignedIn> {
  if (hasSecondFactor) return startSession(deps, caller, user, { ...step, secondFactor: 'provider' })
  if (user.second_factor_at === null || (await applyDueReset(deps, user)))
    return startSession(deps, caller, user, { ...step, secondFactor: null })
  if (await isTrustedBrowser(deps, caller, user))
    return startSession(deps, caller, user, { ...step, secondFactor: 'trusted_browser' })
  throw new AppError('session.second_factor', { secondFactor: await startSecondStep(deps, user, step) })
}

async function startSecondStep(
  deps: Deps,
  user: UserRecord,
  step: FirstFactorStep,
): Promise<NonNullable<Problem['second_factor']>> {
  // The session counts as confirmed at the time of the second factor, not of the first.
  const { confirmedAt: _, ...first } = step
  const data: PendingSignIn = { ...first, generation: user.generation }
  const challenge = await startChallenge(deps, 'second_factor', user.id, data)
  const [totp, isPasskeyUsable, codes] = await Promise.all([
    findTotp(deps.db, user.id),
    hasPasskey(deps.db, user.id, getPasskeyHost(deps.config)),
    countRecoveryCodes(deps.db, user.id),
  ])
  const methods = [
    ...(totp?.confirmed_at ? ['totp' as const] : []),
    ...(isPasskeyUsable ? ['passkey' as const] : []),
    ...(codes > 0 ? ['recovery_code' as const] : []),
  ]
  return { challenge, methods, trust_days: (await readSettings(deps)).security.trust_days }
}

/** Returns the user of a sign-in that waits for its second factor. Throws `session.challenge_ended` if it has ended. */
export async function requirePendingSignIn(deps: Deps, challenge: string): Promise<{ user: UserRecord; step: FirstFactorStep }> {
  const pending = await readChallenge<PendingSignIn>(deps, 'second_factor', challenge)
  const user = pending?.userId ? await findUser(deps.db, pending.userId) : undefined
  if (!pending || !user || !maySignIn(user) || user.generation !== pending.data.generation)
    throw new AppError('session.challenge_ended')
  const { generation: _, ...step } = pending.data
  return { user, step }
}

/** Completes a sign-in with a code from an authenticator app, or with a recovery code. */
export async function completeWithCode(
  deps: Deps,
  caller: ClientDetails,
  { challenge, code, trust }: { challenge: string; code: string; trust?: boolean | undefined },
): Promise<SignedIn> {
  const { user, step } = await requirePendingSignIn(deps, challenge)
  const takeBack = await countFactorAttempt(deps, user, caller.address)
  const secondFactor = await deps.db.transaction().execute(async (trx) => {
    const used = await useCode(deps, trx, user, code)
    // Only a correct code ends the challenge. Of several concurrent ones, only the first succeeds.
    if (used && !(await endChallenge(deps, trx, 'second_factor', challenge))) throw new AppError('session.challenge_ended')
    if (used === 'recovery_code') await reportRecoveryCode(deps, trx, caller, user)
    return used
  })
  if (!secondFactor) throw refuseCode(deps, user, caller.address)
  await takeBack()
  return startSession(deps, caller, user, { ...step, secondFactor, trust })
}

/** Throws `session.wrong_code` unless this is the current code of the user's authenticator app. */
export async function requireTotp(deps: Deps, address: string, user: UserRecord, code: string): Promise<void> {
  const takeBack = await countFactorAttempt(deps, user, address)
  if (!(await useTotp(deps, deps.db, user, code))) throw refuseCode(deps, user, address)
  await takeBack()
}

/** Consumes a code. Returns its kind, or undefined if it is wrong. */
async function useCode(deps: Deps, trx: Db, user: UserRecord, code: string) {
  if (await useTotp(deps, trx, user, code)) return 'totp' as const
  const isRecoveryCode = await useRecoveryCode(trx, user.id, hashRecoveryCode(deps.keys.recovery, user.id, code))
  return isRecoveryCode ? ('recovery_code' as const) : undefined
}

async function useTotp(deps: Deps, db: Db, user: UserRecord, code: string): Promise<boolean> {
  const totp = await findTotp(db, user.id)
  if (!totp?.confirmed_at) return false
  const step = findTotpStep(unseal(deps.keys.seal, `totp ${user.id}`, totp.secret), normalizeFactorCode(code), deps.now())
  return step !== undefined && (await useTotpStep(db, user.id, step))
}

const hourMs = 60 * 60_000
/** Counts attempts from all clients. Only someone who knows the password gets this far, so nobody else can lock the owner out. */
const maxAttemptsPerHour = 30

/**
 * Counts an attempt to enter a code before it is checked, together with wrong passwords. Returns a function that takes the count back, to
 * be called when the attempt succeeds.
 */
export async function countFactorAttempt(deps: Deps, user: UserRecord, address: string): Promise<() => Promise<void>> {
  const takeBack = await countAttempt(deps, { action: 'login', subject: user.email, address })
  const codes = await countUses(deps, 'session.too_many_tries', [
    { key: ['factor', user.id], limit: maxAttemptsPerHour, windowMs: hourMs },
  ])
  return async () => {
    await takeBack()
    await codes.takeBack()
  }
}

/** Records a wrong code, and returns the error to throw. */
export function refuseCode(deps: Deps, user: UserRecord, address: string): AppError {
  recordLater(deps, `factor ${user.id} ${toClientKey(address)}`, {
    action: 'session.refused',
    by: { kind: 'stranger', client: address },
    isRefused: true,
    company: user.company_id,
    name: user.email,
    note: 'second factor',
  })
  return new AppError('session.wrong_code')
}

/** Notifies the user that a recovery code was used, because someone else may have found a printed list. */
async function reportRecoveryCode(deps: Deps, trx: Db, caller: ClientDetails, user: UserRecord): Promise<void> {
  const left = await countRecoveryCodes(trx, user.id)
  await enqueueMail(deps, trx, { letter: 'factor_changed', to: user.email, about: `${user.id} code_used` })
  const about = { company: user.company_id, name: user.email, note: `${left} left` }
  await record(deps, trx, [{ action: 'factor.code_used', by: toStaff(user, '', caller), ...about }])
}
