import type { Args, api, Reply } from '@neptune/contract'
import { ApiError } from '../../api/api-error.ts'
import { loadAllTranslations, t } from '../../i18n/t.ts'
import { PasskeyCanceled } from './use-passkey-action.ts'

type CreationOptions = Reply<typeof api.passkey.startRegistration>['data']
type RequestOptions = Reply<typeof api.passkey.signInOptions>['data']
type RegistrationResponse = Args<typeof api.passkey.register>['body']['response']
export type AuthenticationResponse = Args<typeof api.passkey.signIn>['body']['response']

/** Lets the browser create a passkey. Throws `PasskeyCanceled` if the person cancels. */
export async function createPasskey(options: CreationOptions): Promise<RegistrationResponse> {
  const { challenge, user, excludeCredentials } = options
  const publicKey = {
    ...options,
    challenge: decode(challenge),
    user: { ...user, id: decode(user.id) },
    excludeCredentials: excludeCredentials.map(decodeDescriptor),
  }
  const { id, rawId, response } = await read<AuthenticatorAttestationResponse>(
    navigator.credentials.create({ publicKey }),
    'passkey.invalid',
  )
  return {
    id,
    rawId: encode(rawId),
    type: 'public-key',
    response: {
      clientDataJSON: encode(response.clientDataJSON),
      attestationObject: encode(response.attestationObject),
      transports: response.getTransports?.(),
    },
  }
}

/** Lets the browser sign with a passkey. Throws `PasskeyCanceled` if the person cancels, or the signal is aborted. */
export async function requestPasskey(
  { challenge, allowCredentials, ...options }: RequestOptions,
  more: Pick<CredentialRequestOptions, 'mediation' | 'signal'> = {},
): Promise<AuthenticationResponse> {
  const publicKey = {
    ...options,
    challenge: decode(challenge),
    ...(allowCredentials && { allowCredentials: allowCredentials.map(decodeDescriptor) }),
  }
  const { id, rawId, response } = await read<AuthenticatorAssertionResponse>(
    navigator.credentials.get({ ...more, publicKey }),
    'session.wrong_passkey',
  )
  return {
    id,
    rawId: encode(rawId),
    type: 'public-key',
    response: {
      clientDataJSON: encode(response.clientDataJSON),
      authenticatorData: encode(response.authenticatorData),
      signature: encode(response.signature),
      userHandle: response.userHandle && encode(response.userHandle),
    },
  }
}

/** Waits for the browser, and converts its errors. `fallbackCode` is for all errors without a code of their own. */
async function read<Response extends AuthenticatorResponse>(
  pending: Promise<Credential | null>,
  fallbackCode: 'passkey.invalid' | 'session.wrong_passkey',
) {
  try {
    const credential = await pending
    if (credential) return credential as PublicKeyCredential & { response: Response }
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    // Browsers don’t say whether someone canceled, or waited for too long.
    if (name !== 'NotAllowedError' && name !== 'AbortError') throw await describeError(name, fallbackCode)
  }
  throw new PasskeyCanceled()
}

async function describeError(name: string, fallbackCode: 'passkey.invalid' | 'session.wrong_passkey'): Promise<ApiError> {
  await loadAllTranslations().catch(() => undefined)
  if (name === 'SecurityError')
    return new ApiError(
      'passkey.wrong_address',
      t('Passkeys work only at the address in PUBLIC_URL. Open Neptune there and try again.'),
    )
  if (name === 'InvalidStateError')
    return new ApiError(
      'passkey.exists',
      t('This device already has a passkey for your account. Use that one, or store the new one elsewhere.'),
    )
  return fallbackCode === 'passkey.invalid'
    ? new ApiError(fallbackCode, t('This passkey couldn’t be added. Try again, or use another device.'))
    : new ApiError(fallbackCode, t('This passkey can’t be used here. Use another passkey, or a different method.'))
}

const decodeDescriptor = ({ id, type, transports = [] }: CreationOptions['excludeCredentials'][number]) => ({
  id: decode(id),
  type,
  // Includes `cable`, an older name for `hybrid`, which the types lack. Browsers ignore what they don’t know.
  transports: transports as AuthenticatorTransport[],
})

// Our own conversion, because some password managers break the browser’s: see docs/decisions/0033-passkeys.md.

/** Decodes base64url. */
const decode = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))

/** Encodes as base64url without padding. */
const encode = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
