import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { decodeJwt, findKeys, isSignedBy, type Jwt } from '../../lib/jwt.ts'
import { clientOf } from '../../lib/net/client-address.ts'
import { hashToken, unseal } from '../../lib/secrets.ts'
import { record } from '../audit/audit.service.ts'
import { countUses } from '../throttle/throttle.service.ts'
import { findUser } from '../user/user.repo.ts'
import { getProviderUris } from './manage-provider.service.ts'
import { useOnce } from './provider.repo.ts'
import { findEnabledProvider, findProvider, type Provider } from './provider.service.ts'
import { clockToleranceSeconds, openClient, readKeys, readMetadata } from './provider-client.ts'
import { deleteSessionsOf, findProviderSession } from './provider-session.repo.ts'

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
const maxAgeSeconds = 300
const minuteMs = 60_000
const keysMaxAgeMs = 5 * minuteMs
/** How often a logout token with an unknown key causes a request to the provider. Anyone can send such tokens. */
const minKeyIntervalMs = 10_000
const maxTokensPerClient = 600

/** Ends the sessions that a logout token names (OpenID Connect Back-Channel Logout 1.0). Throws if the token is not authentic. */
export async function endSessionsByToken(deps: Deps, address: string, id: string, token: string): Promise<void> {
  const provider = await findProvider(deps, id)
  if (!provider) throw new AppError('provider.logout_invalid')
  const key = ['logout token', clientOf(address)]
  const { takeBack } = await countUses(deps, 'session.too_many_tries', [
    { key, limit: maxTokensPerClient, windowMs: 15 * minuteMs },
  ])
  const jwt = decodeJwt(token)
  const logout = jwt && readLogout(deps, provider, jwt)
  if (!jwt || !logout || !(await isAuthentic(provider, jwt))) throw new AppError('provider.logout_invalid')
  await deps.db.transaction().execute(async (trx) => {
    const endsAt = new Date(deps.now().getTime() + (maxAgeSeconds + 2 * clockToleranceSeconds) * 1000).toISOString()
    const isNew = await useOnce(trx, hashToken(JSON.stringify(['logout', provider.issuer, logout.jti])), endsAt)
    if (!isNew) throw new AppError('provider.logout_invalid')
    const userIds = await deleteSessionsOf(trx, { issuer: provider.issuer, subject: logout.subject, sid: logout.sid })
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

/** Checks the claims of a logout token. Returns which sessions it names. */
function readLogout(deps: Deps, { issuer, clientId }: Provider, { claims }: Jwt) {
  const { iss, aud, iat, exp, jti, sub, sid, events } = claims
  const now = deps.now().getTime() / 1000
  const isForUs = aud === clientId || (Array.isArray(aud) && aud.includes(clientId))
  const isRecent = typeof iat === 'number' && iat <= now + clockToleranceSeconds && iat >= now - maxAgeSeconds
  const isOpen = exp === undefined || (typeof exp === 'number' && exp >= now - clockToleranceSeconds)
  const event = isRecord(events) && Object.hasOwn(events, logoutEvent) ? events[logoutEvent] : undefined
  const names = [sub, sid].filter((name) => name !== undefined)
  const isNamed = names.length > 0 && names.every((name) => typeof name === 'string' && name !== '')
  // With a nonce, an ID token could pass for a logout token.
  const isLogout = isRecord(event) && typeof jti === 'string' && jti !== '' && !Object.hasOwn(claims, 'nonce')
  if (iss !== issuer || !isForUs || !isRecent || !isOpen || !isNamed || !isLogout) return undefined
  return { jti, subject: sub as string | undefined, sid: sid as string | undefined }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Checks the signature. Asks for new keys if none of the known ones fits. */
async function isAuthentic({ issuer }: Provider, jwt: Jwt): Promise<boolean> {
  try {
    const { id_token_signing_alg_values_supported: supported = ['RS256'] } = await readMetadata(issuer)
    if (!supported.includes(String(jwt.header.alg))) return false
    const { keys } = await readKeys(issuer, keysMaxAgeMs)
    const current = findKeys(jwt, keys).length > 0 ? keys : (await readKeys(issuer, minKeyIntervalMs)).keys
    return isSignedBy(jwt, current)
  } catch {
    return false // without its keys, nobody can tell whether the provider has sent it
  }
}

/** Returns where the provider of the caller's session signs them out. Null if it can't, or the session began in another way. */
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
    deps.log.warn({ err, provider: provider.id }, 'the provider can’t be asked to sign someone out')
    return null
  }
}
