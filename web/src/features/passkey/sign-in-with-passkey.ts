import { type Args, api } from '@neptune/contract'
import { call } from '../../api/client.ts'
import { startSession } from '../../api/session.ts'
import { PasskeyCanceled } from './use-passkey-action.ts'
import { type AuthenticationResponse, requestPasskey } from './webauthn.ts'

/** Shorter than the ten minutes for which challenges are valid. */
const renewalMs = 9 * 60_000

/**
 * Lets the browser offer passkeys among the suggestions for the email address. Returns what the chosen one has signed. Rejects if the
 * signal is aborted, the browser can’t do this, or the server can’t use passkeys.
 */
export async function offerPasskeys(signal: AbortSignal): Promise<AuthenticationResponse> {
  while (true) {
    const options = await fetchOptions({}, signal)
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) throw new PasskeyCanceled()
    signal.throwIfAborted()
    const renewal = new AbortController()
    const timer = setTimeout(() => renewal.abort(), renewalMs)
    try {
      return await requestPasskey(options, { mediation: 'conditional', signal: AbortSignal.any([signal, renewal.signal]) })
    } catch (error) {
      if (signal.aborted || !renewal.signal.aborted) throw error
    } finally {
      clearTimeout(timer)
    }
  }
}

type SignIn = Omit<Args<typeof api.passkey.signIn>['body'], 'response'>

/** Signs in with a passkey: with the one that was already chosen among the suggestions, or else one that the browser asks for. */
export async function signInWithPasskey(details: SignIn, chosen?: AuthenticationResponse): Promise<void> {
  const { challenge } = details
  const response = chosen ?? (await requestPasskey(await fetchOptions(challenge === undefined ? {} : { challenge })))
  await startSession(await call(api.passkey.signIn, { body: { ...details, response } }))
}

const fetchOptions = async (body: Args<typeof api.passkey.signInOptions>['body'], signal?: AbortSignal) =>
  (await call(api.passkey.signInOptions, { body }, signal && { signal })).data
