import type { JSONWebKeySet, JWTPayload, JWTVerifyOptions } from 'jose'
import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { toClientKey } from '../../lib/net/client-address.ts'
import { hashToken, unseal } from '../../lib/secrets.ts'
import { record } from '../audit/audit.service.ts'
import { countUses } from '../throttle/throttle.service.ts'
import { findUser } from '../user/user.repo.ts'
import { getProviderUris } from './manage-provider.service.ts'
import { clockToleranceSeconds, openClient, readKeys, readMetadata } from './protocol/provider-client.ts'
import { readSid, subjectPattern } from './protocol/provider-identity.ts'
import { useOnce } from './provider.repo.ts'
import { findEnabledProvider, findProvider, type Provider } from './provider.service.ts'
import { deletePendingSignIns, deleteSessionsOf, findProviderSession } from './provider-session.repo.ts'

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
const maxAgeSeconds = 300
const minuteMs = 60_000
const keysMaxAgeMs = 5 * minuteMs
/** The shortest interval between requests for keys because of a logout token with an unknown key. Anyone can send such tokens. */
const minKeyIntervalMs = 10_000
const maxTokensPerClient = 600

/** Ends the sessions that a logout token names (OpenID Connect Back-Channel Logout 1.0). Throws if the token is not authentic. */
export async function endSessionsByToken(deps: Deps, address: string, id: string, token: string): Promise<void> {
  const provider = await findProvider(deps, id)
  if (!provider) throw new AppError('provider.logout_invalid')
  const key = ['logout token', toClientKey(address)]
  const { takeBack } = await countUses(deps, 'session.too_many_tries', [
    { key, limit: maxTokensPerClient, windowMs: 15 * minuteMs },
  ])
  const claims = await verifyToken(deps, provider, token)
  const logout = claims && readLogout(claims)
  if (!logout) throw new AppError('provider.logout_invalid')
  await deps.db.transaction().execute(async (trx) => {
    const endsAt = new Date(deps.now().getTime() + (maxAgeSeconds + 2 * clockToleranceSeconds) * 1000).toISOString()
    const isNew = await useOnce(trx, hashToken(JSON.stringify(['logout', provider.issuer, logout.jti])), endsAt)
    if (!isNew) throw new AppError('provider.logout_invalid')
    const userIds = await deleteSessionsOf(trx, { issuer: provider.issuer, subject: logout.subject, sid: logout.sid })
    if (logout.subject !== undefined) await deletePendingSignIns(trx, { issuer: provider.issuer, subject: logout.subject })
    const users = await Promise.all([...new Set(userIds)].map((userId) => findUser(trx, userId)))
    const entries = users.map((user) => ({
      action: 'session.ended' as const,
      by: { kind: 'system' as const },
      company: user?.company_id,
      name: user?.email ?? null,
      note: `by ${provider.name}`,
    }))
    await record(deps, trx, entries)
  })
  await takeBack()
}

/**
 * Returns the claims of a logout token. Undefined if it isn't a recent token that the provider signed for Neptune. Requests
 * new keys if no known key matches.
 */
async function verifyToken(deps: Deps, { issuer, clientId }: Provider, token: string): Promise<JWTPayload | undefined> {
  try {
    const { createLocalJWKSet, errors, jwtVerify } = await import('jose')
    const { id_token_signing_alg_values_supported: algorithms = ['RS256'] } = await readMetadata(issuer)
    const options: JWTVerifyOptions = {
      issuer,
      audience: clientId,
      algorithms,
      maxTokenAge: maxAgeSeconds,
      clockTolerance: clockToleranceSeconds,
      currentDate: deps.now(),
    }
    const verifyWith = async (keysMaxAgeMs: number) =>
      (await jwtVerify(token, createLocalJWKSet((await readKeys(issuer, keysMaxAgeMs)) as JSONWebKeySet), options)).payload
    return await verifyWith(keysMaxAgeMs).catch((error: unknown) => {
      if (error instanceof errors.JWKSNoMatchingKey) return verifyWith(minKeyIntervalMs)
      throw error
    })
  } catch {
    return undefined // also if the keys can't be loaded: the token can't be verified without them
  }
}

/** Returns which sessions a logout token ends. Undefined if it is another kind of token. */
function readLogout({ jti, sub, sid, events, ...others }: JWTPayload) {
  const event = isRecord(events) && Object.hasOwn(events, logoutEvent) ? events[logoutEvent] : undefined
  const session = sid === undefined ? undefined : readSid(sid)
  const isNamed = (sub !== undefined || sid !== undefined) && session !== null && (sub === undefined || isSubject(sub))
  // A logout token has no nonce, so an ID token can't be used as one.
  const isLogout = isRecord(event) && typeof jti === 'string' && jti !== '' && !Object.hasOwn(others, 'nonce')
  return isLogout && isNamed ? { jti, subject: sub, sid: session } : undefined
}

const isSubject = (sub: unknown) => typeof sub === 'string' && subjectPattern.test(sub)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/**
 * Returns the URL at which the provider of the caller's session signs them out. Null if the provider has none or can't be
 * reached, or the session began without a provider.
 */
export async function readLogoutUrl(deps: Deps, actor: Staff): Promise<string | null> {
  const session = await findProviderSession(deps.db, actor.sessionId)
  const provider = session && (await findEnabledProvider(deps, session.provider_id))
  if (!provider) return null
  try {
    const { lib, config, metadata } = await openClient(deps, provider)
    if (metadata.end_session_endpoint === undefined) return null
    const idToken = session.id_token === null ? undefined : unseal(deps.keys.seal, 'id token', session.id_token)
    return lib.buildEndSessionUrl(config, {
      post_logout_redirect_uri: getProviderUris(deps).post_logout_redirect_uri,
      ...(idToken !== undefined && { id_token_hint: idToken }),
    }).href
  } catch (err) {
    deps.log.warn({ err, provider: provider.id }, 'could not read the logout URL of a provider')
    return null
  }
}
