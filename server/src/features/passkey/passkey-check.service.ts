import type { Deps } from '../../deps.ts'
import { AppError } from '../../lib/app-error.ts'
import { getRelyingParty, type RelyingParty } from '../../lib/relying-party.ts'
import type { UserRecord } from '../user/user.repo.ts'
import { checkChallenge, type UsedChallenge } from './passkey-challenge.ts'
import { readClientData } from './webauthn.ts'

/** Returns the relying party. Throws `passkey.unavailable` if browsers don't allow passkeys at its address. */
export function requireRelyingParty({ config }: Deps): RelyingParty {
  const rp = getRelyingParty(config)
  if (rp.obstacle !== null) throw new AppError('passkey.unavailable')
  return rp
}

/** Records why a passkey was refused, and returns the error to throw. `user` is its owner, `error` the error of the library. */
export type Refuse = (
  reason: string,
  details?: { user?: UserRecord; error?: unknown; action?: 'session.refused' | 'session.unavailable' | 'factor.copied' },
) => AppError

/**
 * Checks the address of the page that has used a passkey, and the challenge. Throws `passkey.wrong_address` if the page has another origin.
 * Usually, someone opened Neptune at an address other than PUBLIC_URL, so the log and the error name PUBLIC_URL.
 */
export function checkClientData(
  deps: Deps,
  purpose: string,
  encoded: string,
  refuse: Refuse,
): { challenge: string; used: UsedChallenge } {
  const data = readClientData(encoded)
  if (!data) throw refuse('invalid')
  const { origin } = getRelyingParty(deps.config)
  if (data.origin !== origin) {
    refuse('wrong address')
    deps.log.warn(
      { origin: data.origin.slice(0, 200), publicUrl: origin },
      'a passkey was used at an address other than PUBLIC_URL',
    )
    throw new AppError('passkey.wrong_address')
  }
  const used = checkChallenge(deps.keys.passkey, purpose, data.challenge, deps.now())
  if (used === 'unknown') throw refuse('unknown challenge')
  if (used === 'ended') throw refuse('too late')
  return { challenge: data.challenge, used }
}
