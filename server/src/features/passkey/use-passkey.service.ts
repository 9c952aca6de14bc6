import type { Deps } from '../../deps.ts'
import { applyDueReset } from '../factor/factor-reset.service.ts'
import { enqueueMail } from '../outbox/outbox.service.ts'
import { findUser, type UserRecord } from '../user/user.repo.ts'
import { describeObstacle, maySignIn } from '../user/user.service.ts'
import { findPasskey, findPasskeyByCredential, insertUsedChallenge, type PasskeyRecord, updateCounter } from './passkey.repo.ts'
import type { UsedChallenge } from './passkey-challenge.ts'
import { checkClientData, type Refuse, requireRelyingParty } from './passkey-check.service.ts'
import { type AuthenticationResponse, toUserHandle, verifyAuthentication } from './webauthn.ts'

type Db = Deps['db']

interface Use {
  /** The purpose that its challenge was created for. */
  purpose: string
  response: AuthenticationResponse
  /** The user who must own the passkey. If undefined, anyone may. */
  owner: UserRecord | undefined
  refuse: Refuse
  /** Runs in the transaction that consumes the challenge. If it throws, the challenge is not consumed. */
  complete?: (trx: Db) => Promise<void>
}

/** Checks the use of a passkey, and returns its owner. Throws what `refuse` returns if it is refused. Each challenge works once. */
export async function usePasskey(deps: Deps, use: Use): Promise<UserRecord> {
  const { response, refuse } = use
  const { challenge, used } = checkClientData(deps, use.purpose, response.response.clientDataJSON, refuse)
  const { passkey, user } = await requireOwner(deps, use)
  const verified = await verifyAuthentication(requireRelyingParty(deps), response, challenge, passkey)
  if ('error' in verified) throw refuse('invalid', { user, error: verified.error })
  // Checks this only after the signature: otherwise anyone could find out who is suspended.
  if (!maySignIn(user)) {
    const { action, note } = describeObstacle(user)
    throw refuse(note, { user, action })
  }
  if (await applyDueReset(deps, user)) throw refuse('unknown', { user })
  await storeUse(deps, use, { user, passkey, counter: verified.counter, used })
  return user
}

/** Finds the passkey and its owner. */
async function requireOwner(deps: Deps, { response, owner, refuse }: Use) {
  const passkey = await findPasskeyByCredential(deps.db, response.id)
  const user = passkey && (await findUser(deps.db, passkey.user_id))
  if (!user) throw refuse('unknown')
  if (owner && owner.id !== user.id) throw refuse('of someone else')
  if (passkey.rp_id !== requireRelyingParty(deps).id) throw refuse('of another host', { user })
  // An authenticator may leave out the user handle if the request listed its passkey. Such requests have an owner.
  const handle = response.response.userHandle || (owner && toUserHandle(owner))
  if (handle !== toUserHandle(user)) throw refuse('invalid', { user })
  return { passkey, user }
}

/** Consumes the challenge, and stores the passkey's counter. */
async function storeUse(
  deps: Deps,
  { refuse, complete }: Use,
  { user, passkey, counter, used }: { user: UserRecord; passkey: PasskeyRecord; counter: number; used: UsedChallenge },
): Promise<void> {
  const outcome = await deps.db.transaction().execute(async (trx) => {
    if (!(await insertUsedChallenge(trx, used.hash, used.forgetAt))) return 'used before'
    if (!(await updateCounter(trx, passkey.id, counter, deps.now().toISOString()))) {
      if (!(await findPasskey(trx, user.id, passkey.id))) return 'unknown' // removed in the meantime
      const about = `${user.id} passkey_copied ${passkey.name}`
      await enqueueMail(deps, trx, { letter: 'factor_changed', to: user.email, about })
      return 'copied'
    }
    await complete?.(trx)
    return 'accepted'
  })
  if (outcome === 'copied') throw refuse(`“${passkey.name}”`, { user, action: 'factor.copied' })
  if (outcome !== 'accepted') throw refuse(outcome, { user })
}
