import type { api, Parsed } from '@neptune/contract'
import type { RelyingParty } from '../../lib/relying-party.ts'

export type RegistrationResponse = Parsed<typeof api.passkey.register>['body']['response']
export type AuthenticationResponse = Parsed<typeof api.passkey.signIn>['body']['response']

/** Ed25519, ECDSA with P-256, and RSA: every authenticator supports one of them. */
export const algorithms = [-8, -7, -257]

/** How long browsers wait for the user. */
export const timeoutMs = 5 * 60_000

const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

/** Describes a passkey for a browser. */
export function describeCredential(passkey: { credential_id: string; transports: string }) {
  const known = transports.filter((transport) => passkey.transports.split(',').includes(transport))
  return { id: passkey.credential_id, type: 'public-key' as const, ...(known.length > 0 && { transports: known }) }
}

/** Returns the id under which authenticators store a user. */
export const toUserHandle = ({ id }: { id: string }) => Buffer.from(id).toString('base64url')

interface ClientData {
  challenge: string
  origin: string
}

/** Reads what the browser has signed. Undefined if it is malformed, or comes from a page inside a frame of another site. */
export function readClientData(encoded: string): ClientData | undefined {
  try {
    const { challenge, origin, crossOrigin } = JSON.parse(Buffer.from(encoded, 'base64url').toString()) as Record<string, unknown>
    if (typeof challenge !== 'string' || typeof origin !== 'string' || crossOrigin === true) return undefined
    return { challenge, origin }
  } catch {
    return undefined
  }
}

/** Loads the library at the first use, because most starts of the server never need it. */
async function loadLibrary() {
  const [library, helpers] = await Promise.all([import('@simplewebauthn/server'), import('@simplewebauthn/server/helpers')])
  return { ...library, ...helpers }
}

/** The library throws if anything is wrong with a response. */
interface Invalid {
  error: unknown
}

interface Credential {
  credential_id: string
  public_key: string
  counter: number
  transports: string
}

/** Checks a new passkey. */
export async function verifyRegistration(
  rp: RelyingParty,
  response: RegistrationResponse,
  challenge: string,
): Promise<{ credential: Credential } | Invalid> {
  const library = await loadLibrary()
  try {
    rejectCertificates(library, response)
    const { verified, registrationInfo } = await library.verifyRegistrationResponse({
      response: { ...response, response: { ...response.response, transports: [] }, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    if (!verified || registrationInfo.credential.id !== response.id) throw new Error('The attestation is invalid')
    const { id, publicKey, counter } = registrationInfo.credential
    const known = transports.filter((transport) => response.response.transports?.includes(transport))
    const public_key = Buffer.from(publicKey).toString('base64url')
    return { credential: { credential_id: id, public_key, counter, transports: known.join(',') } }
  } catch (error) {
    return { error }
  }
}

/**
 * Rejects attestations with certificates. Neptune doesn't ask for them, and browsers leave them out. To check one, the library would send
 * requests to addresses in the certificate, which anyone can choose.
 */
function rejectCertificates(library: Awaited<ReturnType<typeof loadLibrary>>, { response }: RegistrationResponse) {
  const attestation = library.decodeAttestationObject(library.isoBase64URL.toBuffer(response.attestationObject))
  const format = attestation.get('fmt')
  const isPlain = format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
  if (!isPlain) throw new Error(`Unexpected attestation of the format ${format}`)
}

/**
 * Checks that a passkey has verified its user and signed a challenge. Returns its counter. The library doesn't compare the counter here,
 * because it would do so before it checks the signature, so anyone could fake a copy.
 */
export async function verifyAuthentication(
  rp: RelyingParty,
  response: AuthenticationResponse,
  challenge: string,
  { credential_id, public_key }: { credential_id: string; public_key: string },
): Promise<{ counter: number } | Invalid> {
  const { verifyAuthenticationResponse } = await loadLibrary()
  const { userHandle, ...assertion } = response.response
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...response, response: { ...assertion, ...(userHandle && { userHandle }) }, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      requireUserVerification: true,
      credential: { id: credential_id, publicKey: Uint8Array.from(Buffer.from(public_key, 'base64url')), counter: 0 },
    })
    if (!verified) throw new Error('The signature is invalid')
    return { counter: authenticationInfo.newCounter }
  } catch (error) {
    return { error }
  }
}
