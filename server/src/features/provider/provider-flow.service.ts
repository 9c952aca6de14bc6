import type { SsoOutcome } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { toClientKey } from '../../lib/net/client-address.ts'
import { hashToken, isSameSecret, seal, unseal } from '../../lib/secrets.ts'
import { recordLater } from '../audit/audit.service.ts'
import { findSessionOwner } from '../session/restore-session.service.ts'
import type { ClientDetails, SignedIn } from '../session/session.service.ts'
import { countUses } from '../throttle/throttle.service.ts'
import { getProviderUris } from './manage-provider.service.ts'
import { openClient } from './protocol/provider-client.ts'
import { readIdentity } from './protocol/provider-identity.ts'
import { describeErrorChain, toOutcome } from './protocol/provider-outcome.ts'
import { useOnce } from './provider.repo.ts'
import { findEnabledProvider, type Provider } from './provider.service.ts'
import { completeSignIn } from './provider-sign-in.service.ts'

/** How long someone can take to sign in at the provider. */
export const flowSeconds = 600

/**
 * The state that the browser keeps in a sealed cookie while the person signs in at the provider. It isn't in a table, because anonymous
 * requests could fill that.
 */
interface Flow {
  providerId: string
  issuer: string
  state: string
  nonce: string
  verifier: string
  endsAt: number
  remember: boolean
  /** Whether a signed-in user connects an account at the provider. Has nothing to do with shared links. */
  isLink: boolean
  /** Whether the provider is told to ask the person to sign in again. */
  isFresh: boolean
  /** With `isLink`: the id of the user who started it. */
  ownerId?: string | undefined
  to: string
}

/** Where to send the browser, and which cookies to set. */
export interface Redirect {
  location: string
  /** The value of the cookie for the callback. Null removes it. */
  flow: string | null
  /** The value of the cookie with the next step: consent or a second factor. */
  pending?: string
  signedIn?: SignedIn
}

const sealContext = 'provider flow'

export interface StartOptions {
  remember: boolean
  isLink: boolean
  isFresh: boolean
  to: string | undefined
  /** The secret in the cookie of the session. */
  session: string | undefined
}

/** Starts a sign-in: returns the address of the provider. With `isLink`, only for someone who is signed in with this browser. */
export async function startSignIn(
  deps: Deps,
  caller: ClientDetails,
  id: string,
  { session, ...options }: StartOptions,
): Promise<Redirect> {
  const provider = await findEnabledProvider(deps, id)
  const ownerId = options.isLink ? await findSessionOwner(deps, session) : undefined
  const begun = { ...options, ownerId, to: toLocalPath(deps, options.to) }
  if (!provider) return toPage('unknown', begun)
  if (options.isLink && ownerId === undefined) return toPage('expired', begun)
  try {
    const { lib, config, metadata } = await openClient(deps, provider, { isStart: true })
    const flow: Flow = {
      providerId: provider.id,
      issuer: provider.issuer,
      state: lib.randomState(),
      nonce: lib.randomNonce(),
      verifier: lib.randomPKCECodeVerifier(),
      endsAt: deps.now().getTime() + flowSeconds * 1000,
      ...begun,
    }
    const url = lib.buildAuthorizationUrl(config, {
      redirect_uri: getProviderUris(deps).redirect_uri,
      scope: chooseScopes(provider, metadata.scopes_supported).join(' '),
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await lib.calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
      // With `max_age`, providers say when someone has signed in there.
      ...(options.isFresh && { prompt: 'login', max_age: '300' }),
    })
    return { location: url.href, flow: seal(deps.keys.seal, sealContext, JSON.stringify(flow)) }
  } catch (error) {
    return toPage(reportFailure(deps, caller, provider, error), begun)
  }
}

/** Returns the scopes to request. Some providers have a scope with the name of the claim, such as `groups`. */
function chooseScopes({ rules }: Provider, supported: string[] = []): string[] {
  const claim = rules.claim?.name
  return ['openid', 'email', 'profile', ...(claim !== undefined && supported.includes(claim) ? [claim] : [])]
}

/** Returns a path of this portal that is safe to redirect to; the start page for anything else. */
function toLocalPath({ config }: Deps, to: string | undefined): string {
  const url = to?.startsWith('/') ? URL.parse(to, config.publicUrl) : null
  const isLocal = url !== null && url.origin === new URL(config.publicUrl).origin && !/^\/(v1|\/)/.test(url.pathname)
  return isLocal ? `${url.pathname}${url.search}` : '/'
}

/**
 * Returns the page that explains an outcome: the login page or, for someone who is signed in, the page where they began to connect an
 * account or to confirm their identity.
 */
function toPage(outcome: SsoOutcome, { isLink, isFresh, to }: Pick<Flow, 'isLink' | 'isFresh' | 'to'>): Redirect {
  const isSignedIn = isLink || (isFresh && outcome !== 'link' && outcome !== 'second-factor')
  const page = isSignedIn ? to : '/login'
  return { location: `${page}${page.includes('?') ? '&' : '?'}sso=${outcome}`, flow: null }
}

const newSignIn = { isLink: false, isFresh: false, to: '/' }

const minuteMs = 60_000
const maxCallbacksPerClient = 60

/** Completes a sign-in, for a browser that the provider has sent back. `search` is the query that the provider has sent. */
export async function finishCallback(
  deps: Deps,
  caller: ClientDetails,
  { cookie, search }: { cookie: string | undefined; search: URLSearchParams },
): Promise<Redirect> {
  const flow = readFlow(deps, cookie)
  if (!flow || !isSameSecret(search.get('state') ?? '', flow.state)) return toPage('expired', flow ?? newSignIn)
  const provider = await findEnabledProvider(deps, flow.providerId)
  if (!provider || provider.issuer !== flow.issuer) return toPage('unknown', flow)
  try {
    // Each callback may cause requests to the provider.
    const key = ['provider callback', toClientKey(caller.address)]
    const { takeBack } = await countUses(deps, 'session.too_many_tries', [
      { key, limit: maxCallbacksPerClient, windowMs: 15 * minuteMs },
    ])
    const identity = await requestIdentity(deps, provider, flow, search)
    if (!(await useOnce(deps.db, hashToken(`state ${flow.state}`), new Date(flow.endsAt).toISOString())))
      return toPage('expired', flow)
    await takeBack()
    const { outcome, ...result } = await completeSignIn(deps, caller, provider, identity, flow)
    return { ...(outcome ? toPage(outcome, flow) : { location: flow.to, flow: null }), ...result }
  } catch (error) {
    return toPage(reportFailure(deps, caller, provider, error), flow)
  }
}

function readFlow(deps: Deps, cookie: string | undefined): Flow | undefined {
  try {
    const flow = JSON.parse(unseal(deps.keys.seal, sealContext, cookie ?? '')) as Flow
    return flow.endsAt > deps.now().getTime() ? flow : undefined
  } catch {
    return undefined
  }
}

/** Exchanges the code for tokens and checks them: issuer, state, nonce, signature, audience and time. */
async function requestIdentity(deps: Deps, provider: Provider, flow: Flow, search: URLSearchParams) {
  const { lib, config, metadata } = await openClient(deps, provider)
  const url = new URL(`${getProviderUris(deps).redirect_uri}?${search}`)
  const tokens = await lib.authorizationCodeGrant(config, url, {
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    pkceCodeVerifier: flow.verifier,
    idTokenExpected: true,
  })
  const hasUserInfo = metadata.userinfo_endpoint !== undefined
  return readIdentity(provider, tokens, (token, sub) => (hasUserInfo ? lib.fetchUserInfo(config, token, sub) : { sub }))
}

/** Logs and records why a sign-in failed. Returns a fixed code for the login page, which shows nothing that the provider sent. */
function reportFailure(deps: Deps, caller: ClientDetails, provider: Provider, error: unknown): SsoOutcome {
  const outcome = toOutcome(error)
  deps.log.warn({ provider: provider.id, outcome, reason: describeErrorChain(error) }, 'a sign-in with a provider failed')
  recordLater(deps, `provider ${provider.id} ${outcome} ${toClientKey(caller.address)}`, {
    action: 'session.refused',
    by: { kind: 'stranger', client: caller.address },
    isRefused: true,
    name: provider.name,
    note: `provider: ${outcome}`,
  })
  return outcome
}
