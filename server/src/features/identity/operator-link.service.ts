import type { Deps } from '../../deps.ts'
import { AppError } from '../../lib/app-error.ts'
import { normalizeEmail } from '../../lib/email.ts'
import { record } from '../audit/audit.service.ts'
import { removeAllFactors, reportChange } from '../factor/factor-changes.service.ts'
import { finishSignIn } from '../factor/second-factor.service.ts'
import { endChallenge, readChallenge, startChallenge } from '../session/challenge.service.ts'
import type { ClientDetails, SignedIn } from '../session/session.service.ts'
import { findUser, findUserByEmail, lockUser } from '../user/user.repo.ts'
import { maySignIn } from '../user/user.service.ts'

/**
 * Creates a link with which a user can sign in once, for an operator. The user needs no password or provider and, with `removesFactors`,
 * no second factor. Throws `user.not_found`, `user.invited`, `user.suspended` or `company.archived`.
 */
export async function createOperatorLink(
  deps: Deps,
  email: string,
  { removesFactors }: { removesFactors: boolean },
): Promise<{ url: string; hasSecondFactor: boolean }> {
  const user = await findUserByEmail(deps.db, normalizeEmail(email))
  if (!user) throw new AppError('user.not_found')
  if (user.invitation_id !== null) throw new AppError('user.invited')
  if (user.suspended_at !== null) throw new AppError('user.suspended')
  if (user.company_archived_at !== null) throw new AppError('company.archived')
  const by = { kind: 'operator' as const }
  const isRemoved = removesFactors && user.second_factor_at !== null
  const token = await startChallenge(deps, 'operator', user.id, { generation: user.generation })
  await deps.db.transaction().execute(async (trx) => {
    const locked = await lockUser(trx, user.id)
    if (!locked) throw new AppError('user.not_found')
    if (isRemoved) await removeAllFactors(trx, user.id)
    if (isRemoved) await reportChange(deps, trx, locked, 'reset', { action: 'factor.reset', by })
    await record(deps, trx, [{ action: 'session.link_created', by, company: user.company_id, name: user.email }])
  })
  return { url: `${deps.config.publicUrl}/enter/${token}`, hasSecondFactor: user.second_factor_at !== null && !isRemoved }
}

/** Signs someone in with such a link. It works once, for ten minutes, and stops working when the user's sessions end. */
export async function signInWithOperatorLink(deps: Deps, caller: ClientDetails, token: string): Promise<SignedIn> {
  const challenge = await readChallenge<{ generation: number }>(deps, 'operator', token)
  const user = challenge?.userId ? await findUser(deps.db, challenge.userId) : undefined
  if (!challenge || !user || !maySignIn(user) || user.generation !== challenge.data.generation)
    throw new AppError('operator_link.not_found')
  if (!(await endChallenge(deps, deps.db, 'operator', token))) throw new AppError('operator_link.not_found')
  return finishSignIn(deps, caller, user, { method: 'operator', remember: false })
}
