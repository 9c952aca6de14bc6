import type { Deps } from '../../deps.ts'
import { AppError } from '../../lib/app-error.ts'
import { getTokenId } from '../../lib/email-token.ts'
import { toClientKey } from '../../lib/net/client-address.ts'
import { rejectWeakPassword } from '../../lib/password/password-rules.ts'
import { hashPassword, runPasswordTask } from '../../lib/password/passwords.ts'
import { record } from '../audit/audit.service.ts'
import { requirePasswordSignIn } from '../session/policy.service.ts'
import { type ClientDetails, type SignedIn, startSession, toStaff } from '../session/session.service.ts'
import { clearAttempts, prepareAttempt } from '../throttle/throttle.service.ts'
import { setFirstPassword } from '../user/invitation.repo.ts'
import { findUserByInvitation } from '../user/invitation.service.ts'
import type { UserRecord } from '../user/user.repo.ts'

/** Returns the user whom an invitation is for. Changes nothing, so that mail scanners and link previews don't use it up. */
export async function checkInvitation(deps: Deps, address: string, token: string) {
  const { name, email, company_name } = await requireInvitedUser(deps, address, token)
  return { name, email, company_name }
}

/** Sets the password of an invited user and signs them in. The invitation works once, even for concurrent requests. */
export async function acceptInvitation(
  deps: Deps,
  caller: ClientDetails,
  { token, password }: { token: string; password: string },
): Promise<SignedIn> {
  await requirePasswordSignIn(deps)
  const user = await requireInvitedUser(deps, caller.address, token)
  rejectWeakPassword('password', password, [user.name, user.email, user.company_name])
  const hash = await runPasswordTask(toClientKey(caller.address), () => hashPassword(password))
  await deps.db.transaction().execute(async (trx) => {
    const isAccepted = await setFirstPassword(trx, user, hash, deps.now().toISOString())
    if (!isAccepted) throw new AppError('invitation.not_found') // used, replaced or expired meanwhile
    const by = toStaff(user, '', caller)
    await record(deps, trx, [{ action: 'user.invitation_accepted', by, company: user.company_id, name: user.email }])
  })
  await clearAttempts(deps, { action: 'login', subject: user.email, address: caller.address })
  const proof = { method: 'invitation' as const, secondFactor: null, remember: false }
  return startSession(deps, caller, { ...user, generation: user.generation + 1 }, proof)
}

/**
 * Returns the user that a token is for. An unknown token, an expired or used invitation, a suspended user and an archived company
 * cause the same error.
 */
async function requireInvitedUser(deps: Deps, address: string, token: string): Promise<UserRecord> {
  const attempt = prepareAttempt(deps, { action: 'invitation', subject: getTokenId(token), address })
  const user = await deps.db.transaction().execute(async (trx) => {
    await attempt.check(trx)
    const found = await findUserByInvitation(deps, trx, token)
    if (!found) await attempt.countFailure(trx)
    return found
  })
  if (!user) throw new AppError('invitation.not_found')
  return user
}
