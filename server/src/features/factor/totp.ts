import { Secret, TOTP } from 'otpauth'

const stepSeconds = 30
/** How many steps the clock of a phone may be ahead or behind. */
const window = 1

export const newTotpSecret = () => new Secret({ size: 20 }).base32

/** Returns the URI that authenticator apps read from a QR code. */
export const createTotpUri = (secret: string, issuer: string, label: string) => createTotp(secret, issuer, label).toString()

/** Returns the time step that a code belongs to. Undefined if it is wrong, or too old or too new. */
export function findTotpStep(secret: string, code: string, now: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const timestamp = now.getTime()
  const delta = createTotp(secret).validate({ token: code, timestamp, window })
  return delta === null ? undefined : Math.floor(timestamp / 1000 / stepSeconds) + delta
}

/** Uses SHA-1 and six digits, because many apps ignore other values and then show wrong codes. */
const createTotp = (secret: string, issuer = '', label = '') =>
  new TOTP({ secret: Secret.fromBase32(secret), issuer, label, algorithm: 'SHA1', digits: 6, period: stepSeconds })
