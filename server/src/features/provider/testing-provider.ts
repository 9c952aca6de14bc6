import { generateKeyPairSync, type JsonWebKey, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration } from 'oidc-provider'

export const clientSecret = 'a client secret of the tests'

/** A person with an account at the provider. */
export interface Person {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  groups?: string[]
  amr?: string[]
  /** Whether the person cancels at the provider. */
  willCancel?: boolean
}

export const kim: Person = { sub: 'kim', email: 'kim@acme.example', email_verified: true, name: 'Kim Doe' }

type PrivateKey = JsonWebKey & { kid: string }

const createKey = (kid: string): PrivateKey => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  kid,
  alg: 'RS256',
  use: 'sig',
})

/** Two keys for all tests of a file, because creating a key is slow. */
let keys: [PrivateKey, PrivateKey] | undefined
const getKeys = () => (keys ??= [createKey('first'), createKey('second')])

/** Signs a token as the provider does, or as someone who doesn't have its key. */
export function signToken(
  claims: object,
  { header = {}, key = getKeys()[0] }: { header?: object; key?: PrivateKey } = {},
): string {
  const parts = [{ alg: 'RS256', kid: key.kid, typ: 'JWT', ...header }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  const signature = sign('sha256', Buffer.from(parts.join('.')), { key, format: 'jwk' } as never)
  return [...parts, signature.toString('base64url')].join('.')
}

export const createForeignKey = () => createKey('first')

export interface ProviderOptions {
  /** The address of Neptune. */
  publicUrl: string
  /** The host name of the provider. Cookies are shared by all ports of a host, so a test can choose another host than Neptune’s. */
  host?: string
  /** Whether ID tokens have all claims. Otherwise, Neptune has to request some. */
  isFullIdToken?: boolean
}

/** Starts a real OpenID provider on this machine. It signs in every visitor as `person`, without asking for anything. */
export async function startProvider({ publicUrl, host = '127.0.0.1', isFullIdToken = false }: ProviderOptions) {
  const state = {
    person: kim,
    requests: [] as string[],
    logoutTokens: [] as string[],
    /** Changes the reply of the token endpoint. */
    tamper: undefined as ((reply: { id_token: string }) => object) | undefined,
    /** May reply instead of the provider. Returns whether it did. */
    intercept: undefined as ((request: IncomingMessage, reply: ServerResponse) => boolean) | undefined,
  }
  const server = createServer((request, reply) => {
    state.requests.push(`${request.method} ${request.url?.split('?')[0]}`)
    if (state.intercept?.(request, reply)) return
    if (request.url?.startsWith('/interaction/')) return void finishInteraction(provider, state.person, request, reply)
    if (request.url?.startsWith('/token') && state.tamper) changeReply(reply, state.tamper)
    provider.callback()(request, reply)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`
  const create = (key: PrivateKey) =>
    createQuietly(() => new Provider(issuer, configure(state, key, { publicUrl, isFullIdToken })))
  let provider = create(getKeys()[0])
  return Object.assign(state, {
    issuer,
    /** Replaces the key of the provider. */
    rotateKey: () => {
      provider = create(getKeys()[1])
    },
    /** Returns a logout token that the provider has signed. */
    async createLogoutToken(sub: string, sid?: string) {
      const client = (await provider.Client.find('neptune')) as unknown as {
        backchannelLogout: (...args: unknown[]) => Promise<void>
      }
      await client.backchannelLogout(sub, sid)
      return state.logoutTokens.at(-1) ?? ''
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

/** Suppresses the warning that the provider keeps everything in memory, which is intended in tests. */
function createQuietly(create: () => Provider): Provider {
  const { warn } = console
  console.warn = () => undefined
  try {
    return create()
  } finally {
    console.warn = warn
  }
}

type State = { person: Person; logoutTokens: string[] }

const configure = (
  state: State,
  key: PrivateKey,
  { publicUrl, isFullIdToken }: Pick<Required<ProviderOptions>, 'publicUrl' | 'isFullIdToken'>,
): Configuration => ({
  clients: [
    {
      client_id: 'neptune',
      client_secret: clientSecret,
      redirect_uris: [`${publicUrl}/v1/identity/provider/callback`],
      post_logout_redirect_uris: [`${publicUrl}/login`],
      backchannel_logout_uri: `${publicUrl}/v1/identity/provider/x/logout`,
      backchannel_logout_session_required: true,
    },
  ],
  jwks: { keys: [key] } as never,
  claims: { openid: ['sub', 'amr', 'auth_time'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
  scopes: ['openid', 'email', 'profile', 'groups'],
  conformIdTokenClaims: !isFullIdToken,
  features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
  pkce: { required: () => true },
  ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  cookies: { keys: ['test'] },
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  findAccount: (_, sub) => ({ accountId: sub, claims: async () => ({ ...state.person, sub }) as never }),
  async loadExistingGrant(ctx) {
    const { provider, client, session } = ctx.oidc
    const grant = new provider.Grant({ clientId: client?.clientId ?? '', accountId: session?.accountId ?? '' })
    grant.addOIDCScope('openid email profile groups')
    await grant.save()
    return grant
  },
  fetch: async (_url, options) => {
    state.logoutTokens.push(new URLSearchParams(String(options?.body)).get('logout_token') ?? '')
    return new Response(null, { status: 200 })
  },
})

async function finishInteraction(provider: Provider, person: Person, request: IncomingMessage, reply: ServerResponse) {
  const result = person.willCancel
    ? { error: 'access_denied', error_description: 'The person <b>canceled</b>' }
    : { login: { accountId: person.sub, ...(person.amr && { amr: person.amr }) } }
  await provider.interactionFinished(request, reply, result, { mergeWithLastSubmission: false })
}

/** Changes the JSON that is about to be sent. */
function changeReply(reply: ServerResponse, tamper: (body: { id_token: string }) => object) {
  const end = reply.end.bind(reply) as (body: string) => ServerResponse
  reply.end = ((body: string) => {
    const changed = reply.statusCode === 200 ? JSON.stringify(tamper(JSON.parse(body))) : body
    reply.setHeader('content-length', Buffer.byteLength(changed))
    return end(changed)
  }) as typeof reply.end
}
