import type { SsoOutcome } from '@neptune/contract'
import { AppError } from '../../../lib/app-error.ts'
import { ProviderError } from './provider-requests.ts'

/** Thrown for a reply that is forged or was tampered with. */
export class RejectedReply extends Error {
  override name = 'RejectedReply'
}

/** Returns the outcome of a sign-in that failed, for the login page. */
export function toOutcome(error: unknown): SsoOutcome {
  if (error instanceof AppError) return error.code === 'session.too_many_tries' ? 'too-many' : 'no-access'
  if (error instanceof RejectedReply) return 'rejected'
  const known = findInCauses(error, (cause) => cause instanceof ProviderError)
  if (known instanceof ProviderError)
    return known.reason === 'unreachable' || known.reason === 'timeout' ? 'unreachable' : 'misconfigured'
  const { name, code, error: sent, status } = error as { name?: string; code?: string; error?: string; status?: number }
  if (name === 'AuthorizationResponseError') return authorizationOutcomes[sent ?? ''] ?? 'misconfigured'
  // The code was already used, or is too old.
  if (sent === 'invalid_grant') return 'expired'
  if (sent !== undefined) return (status ?? 400) >= 500 ? 'unreachable' : 'misconfigured'
  if (code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE') return 'misconfigured'
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM') return isServerError(error) ? 'unreachable' : 'misconfigured'
  if (code?.startsWith('OAUTH_')) return code === 'OAUTH_TIMEOUT' ? 'unreachable' : 'rejected'
  return 'misconfigured'
}

/** The outcomes for the errors that a provider can add to the callback URL (RFC 6749, OpenID Connect Core). */
const authorizationOutcomes: Record<string, SsoOutcome> = {
  access_denied: 'denied',
  login_required: 'denied',
  consent_required: 'denied',
  interaction_required: 'denied',
  account_selection_required: 'denied',
  temporarily_unavailable: 'unreachable',
  server_error: 'unreachable',
}

const isServerError = (error: unknown) => findInCauses(error, (cause) => ((cause as Response).status ?? 0) >= 500) !== undefined

function findInCauses(error: unknown, matches: (cause: object) => boolean): unknown {
  for (let cause = error, depth = 0; cause instanceof Object && depth < 5; cause = (cause as Error).cause, depth++)
    if (matches(cause)) return cause
  return undefined
}

/** Describes an error and its causes for the log. Leaves out their other properties, which may contain tokens and claims. */
export function describeErrorChain(error: unknown): string {
  const messages: string[] = []
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    const { error: code } = cause as { error?: unknown }
    messages.push(typeof code === 'string' ? `${cause.message} (${code})` : cause.message)
  }
  return messages.join(': ').slice(0, 500)
}
