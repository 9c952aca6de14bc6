import { Email, Name } from '@neptune/contract'
import type { IDToken, TokenEndpointResponse, TokenEndpointResponseHelpers, UserInfoResponse } from 'openid-client'
import * as z from 'zod'
import { normalizeEmail } from '../../../lib/email.ts'
import { hashToken } from '../../../lib/secrets.ts'
import type { Provider } from '../provider.service.ts'
import { RejectedReply } from './provider-outcome.ts'

/** A person as a provider identifies them. */
export interface Identity {
  issuer: string
  subject: string
  /** Null if the provider sends none, or an invalid one. */
  email: string | null
  isEmailVerified: boolean
  name: string
  /** The values of the claim that the rules name. */
  claimValues: string[]
  /** Whether the provider has checked more than one factor. */
  hasSecondFactor: boolean
  /** When the person last proved to the provider who they are, in milliseconds. */
  authenticatedAt: number | undefined
  sid: string | null
  idToken: string | null
}

/** Longer ID tokens are not stored. Without an ID token, the provider may ask the person before it signs them out. */
const maxIdTokenLength = 16_000

/** OpenID Connect allows 255 ASCII characters. Databases reject NUL, and store all lone surrogates as the same character. */
export const subjectPattern = /^[^\p{Cc}\p{Cs}]{1,300}$/u

/** Reads a person's identity from verified tokens. Requests claims that are not in the ID token from the provider. */
export async function readIdentity(
  { clientId, rules }: Provider,
  tokens: TokenEndpointResponse & TokenEndpointResponseHelpers,
  fetchUserInfo: (accessToken: string, subject: string) => Promise<UserInfoResponse> | UserInfoResponse,
): Promise<Identity> {
  const token = tokens.claims()
  if (!token) throw new RejectedReply('The reply has no ID token.')
  if (!subjectPattern.test(token.sub)) throw new RejectedReply('The subject of the ID token is invalid.')
  // The library checks this only if the token is for several clients.
  if (token.azp !== undefined && token.azp !== clientId) throw new RejectedReply('The ID token was issued to another client.')
  const needed = ['email', ...(rules.claim ? [rules.claim.name] : [])]
  const isComplete = needed.every((name) => token[name] !== undefined)
  const claims: IDToken = isComplete ? token : { ...(await fetchUserInfo(tokens.access_token, token.sub)), ...token }
  const email = z.safeParse(Email, claims['email']).data
  const idToken = tokens.id_token ?? ''
  return {
    issuer: token.iss,
    subject: token.sub,
    email: email === undefined ? null : normalizeEmail(email),
    isEmailVerified: email !== undefined && isVerified(rules, normalizeEmail(email), claims['email_verified']),
    name: chooseName(claims, email),
    claimValues: rules.claim ? toValues(claims[rules.claim.name]) : [],
    hasSecondFactor: rules.second_factor === 'provider' || toValues(token['amr']).includes('mfa'),
    authenticatedAt: typeof token.auth_time === 'number' ? token.auth_time * 1000 : undefined,
    sid: readSid(token['sid']),
    idToken: idToken.length <= maxIdTokenLength ? idToken : null,
  }
}

/** Returns the id of a session at a provider, as it is stored. Null if there is none, or the database can't store it. */
export function readSid(sid: unknown): string | null {
  if (typeof sid !== 'string' || sid === '' || /[\p{Cc}\p{Cs}]/u.test(sid)) return null
  return sid.length > 300 ? hashToken(sid) : sid
}

/** Returns whether an email address is verified. If the provider doesn't say, the rules decide. */
function isVerified(rules: Provider['rules'], email: string, claim: unknown): boolean {
  if (claim === undefined) return rules.trust_email && isInDomains(rules, email)
  return claim === true || claim === 'true'
}

/** Returns whether the provider manages the domain of an email address. */
export const isInDomains = ({ domains }: Provider['rules'], email: string) =>
  domains.some((domain) => email.endsWith(`@${domain.toLowerCase()}`))

const toValues = (claim: unknown): string[] =>
  (Array.isArray(claim) ? claim : [claim]).filter((value): value is string => typeof value === 'string')

/** Returns the name of a new user. Falls back to the local part of their email address. */
function chooseName(claims: IDToken, email: string | undefined): string {
  const parts = [claims['given_name'], claims['family_name']].filter((part) => typeof part === 'string')
  const candidates = [claims['name'], parts.join(' '), email?.split('@')[0]]
  return candidates.map((candidate) => z.safeParse(Name, candidate).data?.trim()).find(Boolean) ?? 'Unnamed'
}
