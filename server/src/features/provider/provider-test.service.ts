import { type api, hiddenPassword, type Parsed, type ProviderFault, type ProviderTest } from '@neptune/contract'
import type { ServerMetadata } from 'openid-client'
import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { countUses } from '../throttle/throttle.service.ts'
import { getProviderUris } from './manage-provider.service.ts'
import { clockToleranceSeconds } from './protocol/provider-client.ts'
import { discover, ProviderError, requestFromProvider, requestKeys } from './protocol/provider-requests.ts'
import { findProvider } from './provider.service.ts'

type Candidate = Parsed<typeof api.provider.test>['body']
type Finding = ProviderTest['findings'][number]

const hourMs = 60 * 60_000
const maxTestsPerHour = 100

/** Checks a provider before people sign in with it. Changes nothing. */
export async function testProvider(deps: Deps, actor: Staff, candidate: Candidate): Promise<ProviderTest> {
  await countUses(deps, 'provider.too_many_tests', [
    { key: ['provider test', actor.userId], limit: maxTestsPerHour, windowMs: hourMs },
  ])
  try {
    const { metadata, time } = await discover(candidate.issuer)
    const findings = [
      ...checkClock(deps, time),
      ...checkMetadata(metadata),
      ...(await checkKeys(metadata)),
      ...(await checkClient(deps, candidate, metadata)),
    ]
    return { findings, supports: describeSupport(metadata) }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return { findings: [toFinding(error.reason, error.message)], supports: null }
  }
}

const toFinding = (code: ProviderFault, detail: string, level: Finding['level'] = 'error'): Finding => ({ code, level, detail })

function checkClock(deps: Deps, time: number | undefined): Finding[] {
  const seconds = time === undefined ? 0 : Math.round((time - deps.now().getTime()) / 1000)
  if (Math.abs(seconds) <= clockToleranceSeconds) return []
  const order = seconds > 0 ? 'ahead of' : 'behind'
  return [toFinding('clock', `The clock of the provider is ${Math.abs(seconds)} seconds ${order} the clock of this server.`)]
}

function checkMetadata(metadata: ServerMetadata): Finding[] {
  const {
    response_types_supported: types = ['code'],
    scopes_supported: scopes,
    code_challenge_methods_supported: pkce,
  } = metadata
  const missing = ['openid', 'email'].filter((scope) => scopes !== undefined && !scopes.includes(scope))
  return [
    ...(types.includes('code') ? [] : [toFinding('no_code_flow', 'The provider doesn’t support the authorization code flow.')]),
    ...(missing.length === 0 ? [] : [toFinding('no_scopes', `The provider doesn’t list the scope ${missing.join(' and ')}.`)]),
    // Only a warning: Microsoft Entra ID supports PKCE, but doesn't say so.
    ...(pkce?.includes('S256')
      ? []
      : [
          toFinding('no_pkce', 'The provider doesn’t say that it supports PKCE with S256, which Neptune always uses.', 'warning'),
        ]),
  ]
}

async function checkKeys(metadata: ServerMetadata): Promise<Finding[]> {
  try {
    await requestKeys(metadata)
    return []
  } catch (error) {
    return [toFinding('no_keys', (error as Error).message)]
  }
}

/**
 * Checks the client ID and secret with a code that doesn't exist. A provider that rejects the client replies `invalid_client`. Otherwise,
 * it rejects the code.
 */
async function checkClient(deps: Deps, candidate: Candidate, metadata: ServerMetadata): Promise<Finding[]> {
  const secret = await readSecret(deps, candidate)
  const { client_id } = candidate
  const isBasic = (metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']).includes('client_secret_basic')
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: 'neptune-test',
    redirect_uri: getProviderUris(deps).redirect_uri,
    code_verifier: 'neptune-test-'.repeat(4),
    ...((secret === undefined || !isBasic) && { client_id }),
    ...(secret !== undefined && !isBasic && { client_secret: secret }),
  })
  const credentials = Buffer.from(`${encodeFormValue(client_id)}:${encodeFormValue(secret ?? '')}`).toString('base64')
  const headers = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
    ...(secret !== undefined && isBasic && { authorization: `Basic ${credentials}` }),
  }
  const { token_endpoint = '' } = metadata
  try {
    const reply = await requestFromProvider(token_endpoint, { method: 'POST', headers, body: body.toString() })
    const { error } = ((await reply.json().catch(() => undefined)) ?? {}) as { error?: unknown }
    const isRejected = error === 'invalid_client' || error === 'unauthorized_client' || reply.status === 401
    return isRejected ? [toFinding('wrong_client', 'The provider rejects the client ID or the client secret.')] : []
  } catch (error) {
    return [toFinding('unreachable', (error as Error).message)]
  }
}

/** Encodes client credentials for HTTP Basic (RFC 6749, section 2.3.1). */
const encodeFormValue = (value: string) => new URLSearchParams({ v: value }).toString().slice(2)

/** Returns the secret to test with. The stored one is sent only to the provider that it belongs to. */
async function readSecret(deps: Deps, { id, issuer, client_id, client_secret }: Candidate): Promise<string | undefined> {
  if (client_secret !== undefined && client_secret !== hiddenPassword) return client_secret ?? undefined
  const stored = id === undefined ? undefined : await findProvider(deps, id)
  return stored?.issuer === issuer && stored.clientId === client_id ? stored.readSecret() : undefined
}

const describeSupport = (metadata: ServerMetadata): ProviderTest['supports'] => ({
  back_channel_logout: metadata['backchannel_logout_supported'] === true,
  logout: typeof metadata.end_session_endpoint === 'string',
  issuer_parameter: metadata.authorization_response_iss_parameter_supported === true,
  claims: (metadata.claims_supported ?? []).filter((claim) => typeof claim === 'string').slice(0, 100),
})
