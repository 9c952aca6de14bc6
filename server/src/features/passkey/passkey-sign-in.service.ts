import type { api, Reply } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { toClientKey } from '../../lib/net/client-address.ts'
import { hashToken } from '../../lib/secrets.ts'
import { recordLater } from '../audit/audit.service.ts'
import { requireUser } from '../factor/factor.service.ts'
import { countFactorAttempt, requirePendingSignIn } from '../factor/second-factor.service.ts'
import { endChallenge } from '../session/challenge.service.ts'
import { type ClientDetails, confirmSession, type SignedIn, startSession } from '../session/session.service.ts'
import { countAttempt } from '../throttle/throttle.service.ts'
import type { UserRecord } from '../user/user.repo.ts'
import { listPasskeys } from './passkey.repo.ts'
import { createChallenge } from './passkey-challenge.ts'
import { type Refuse, requireRelyingParty } from './passkey-check.service.ts'
import { usePasskey } from './use-passkey.service.ts'
import { type AuthenticationResponse, describeCredential, timeoutMs } from './webauthn.ts'

type RequestOptions = Reply<typeof api.passkey.signInOptions>['data']

/** Returns the purpose of a sign-in. It includes the pending sign-in, so that a challenge for one sign-in doesn't complete another. */
const toSignInPurpose = (challenge: string | undefined) =>
  challenge === undefined ? 'sign-in' : `second-factor ${hashToken(challenge)}`

const toConfirmPurpose = ({ sessionId }: Staff) => `confirm ${sessionId}`

/** Returns the options for a sign-in with any passkey or, as a second factor, with a passkey of the user who is signing in. */
export async function createSignInOptions(deps: Deps, challenge: string | undefined): Promise<RequestOptions> {
  const user = challenge === undefined ? undefined : (await requirePendingSignIn(deps, challenge)).user
  return createOptions(deps, toSignInPurpose(challenge), user?.id)
}

/** Returns the options with which a browser confirms the identity of its user. */
export const createConfirmOptions = (deps: Deps, actor: Staff): Promise<RequestOptions> =>
  createOptions(deps, toConfirmPurpose(actor), actor.userId)

async function createOptions(deps: Deps, purpose: string, userId: string | undefined): Promise<RequestOptions> {
  const rp = requireRelyingParty(deps)
  const options = {
    challenge: createChallenge(deps.keys.passkey, purpose, deps.now()),
    rpId: rp.id,
    timeout: timeoutMs,
    userVerification: 'required' as const,
  }
  if (userId === undefined) return options
  const passkeys = (await listPasskeys(deps.db, userId)).filter(({ rp_id }) => rp_id === rp.id)
  // With an empty list, the browser would offer the passkeys of every user.
  if (passkeys.length === 0) throw new AppError('passkey.not_found')
  return { ...options, allowCredentials: passkeys.map(describeCredential) }
}

interface SignIn {
  response: AuthenticationResponse
  remember?: boolean | undefined
  /** Of a sign-in that waits for its second factor. */
  challenge?: string | undefined
  trust?: boolean | undefined
}

/**
 * Signs a user in with a passkey. A passkey is enough on its own: it proves that the user has the device and can unlock it. With a
 * challenge, completes a sign-in that needs a second factor.
 */
export async function signInWithPasskey(
  deps: Deps,
  caller: ClientDetails,
  { response, remember = false, challenge, trust }: SignIn,
): Promise<SignedIn> {
  requireRelyingParty(deps)
  const pending = challenge === undefined ? undefined : await requirePendingSignIn(deps, challenge)
  const takeBack = pending
    ? await countFactorAttempt(deps, pending.user, caller.address)
    : await countAttempt(deps, { action: 'login', subject: `passkey ${response.id}`, address: caller.address })
  const user = await usePasskey(deps, {
    purpose: toSignInPurpose(challenge),
    response,
    owner: pending?.user,
    refuse: createRefuse(deps, caller, pending?.user),
    /** Ends the challenge, so that only the first of several concurrent requests completes the sign-in. */
    async complete(trx) {
      if (challenge !== undefined && !(await endChallenge(deps, trx, 'second_factor', challenge)))
        throw new AppError('session.challenge_ended')
    },
  })
  await takeBack()
  const proof = pending
    ? { ...pending.step, secondFactor: 'passkey' as const, trust }
    : { method: 'passkey' as const, secondFactor: null, remember }
  return startSession(deps, caller, user, proof)
}

/** Records a refused sign-in. All reasons about the passkey or its owner cause the same error, so that it reveals nothing. */
const createRefuse =
  (deps: Deps, { address }: ClientDetails, pendingUser: UserRecord | undefined): Refuse =>
  (reason, { user = pendingUser, error, action = 'session.refused' } = {}) => {
    if (error) deps.log.debug({ err: error }, 'a passkey was refused')
    recordLater(deps, `passkey ${action} ${user?.id ?? 'unknown'} ${toClientKey(address)}`, {
      action,
      by: { kind: 'stranger', client: address },
      isRefused: true,
      ...(user && { company: user.company_id, name: user.email }),
      note: `passkey: ${reason}`,
    })
    return new AppError(reason === 'too late' ? 'session.challenge_ended' : 'session.wrong_passkey')
  }

/** Confirms the caller's identity with one of their own passkeys. */
export async function confirmWithPasskey(deps: Deps, actor: Staff, response: AuthenticationResponse): Promise<void> {
  requireRelyingParty(deps)
  const user = await requireUser(deps, actor)
  const takeBack = await countFactorAttempt(deps, user, actor.client)
  const refuse: Refuse = (reason, { error, action = 'session.refused' } = {}) => {
    if (error) deps.log.debug({ err: error }, 'a passkey was refused')
    const about = { by: actor, isRefused: true, company: user.company_id, name: user.email }
    recordLater(deps, `passkey ${action} ${user.id}`, { action, ...about, note: `passkey: ${reason}` })
    return new AppError('session.wrong_passkey')
  }
  await usePasskey(deps, { purpose: toConfirmPurpose(actor), response, owner: user, refuse })
  await takeBack()
  await confirmSession(deps, actor, 'passkey')
}
