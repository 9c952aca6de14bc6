import { generateKeyPairSync, type JsonWebKey, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ProviderRules } from '@neptune/contract'
import Provider, { type Configuration } from 'oidc-provider'
import { TOTP } from 'otpauth'
import { startTestServer, toBearerHeader } from '../../testing.ts'

export const publicUrl = 'https://files.acme.example'
const callbackUrl = `${publicUrl}/v1/identity/provider/callback`
export const clientSecret = 'a client secret of the tests'

/** A person with an account at the provider. */
export interface Person {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  groups?: string[]
  amr?: string[]
  /** Presses *Cancel* at the provider. */
  isDenying?: boolean
}

export const kim: Person = { sub: 'kim', email: 'kim@acme.example', email_verified: true, name: 'Kim Doe' }

type PrivateKey = JsonWebKey & { kid: string }

const createKey = (kid: string): PrivateKey => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  kid,
  alg: 'RS256',
  use: 'sig',
})

/** Two keys for all tests of a file, because creating one takes a while. */
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

/** Starts a real OpenID provider on this machine. */
export async function startProvider({ isFullIdToken = false }: { isFullIdToken?: boolean } = {}) {
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
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const create = (key: PrivateKey) => createQuietly(() => new Provider(issuer, configure(state, key, isFullIdToken)))
  let provider = create(getKeys()[0])
  return Object.assign(state, {
    issuer,
    /** Replaces the key of the provider. */
    rotateKey: () => {
      provider = create(getKeys()[1])
    },
    /** Returns a real logout token. */
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

const configure = (state: State, key: PrivateKey, isFullIdToken: boolean): Configuration => ({
  clients: [
    {
      client_id: 'neptune',
      client_secret: clientSecret,
      redirect_uris: [callbackUrl],
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
  const result = person.isDenying
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

/** Returns the claims of a token, without checking it. */
export const readClaims = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

/** Keeps cookies as a browser does. */
function createJar() {
  const cookies = new Map<string, string>()
  return {
    cookies,
    header: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    store(lines: string[]) {
      for (const line of lines) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (/Max-Age=0/i.test(line) || value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
    },
  }
}

type App = Awaited<ReturnType<typeof startTestServer>>['app']

/** Opens a browser that signs in with a provider. */
export function openBrowser(app: App) {
  const [own, foreign] = [createJar(), createJar()]
  const ask = async (method: 'GET' | 'POST', url: string, headers: Record<string, string> = {}) => {
    const reply = await app.inject({ method, url, headers: { cookie: own.header(), ...headers } })
    own.store([reply.headers['set-cookie'] ?? []].flat())
    return reply
  }
  const script = { 'x-neptune': '1' }
  const browser = {
    cookies: own.cookies,
    ask,
    /** Returns the address to which a provider sends the browser back. */
    async visitProvider(id: string, query = '') {
      let location = String((await ask('GET', `/v1/identity/provider/${id}/start?${query}`)).headers['location'])
      for (let i = 0; i < 10 && location.startsWith('http://127.0.0.1'); i++) {
        const reply = await fetch(location, { redirect: 'manual', headers: { cookie: foreign.header() } })
        foreign.store(reply.headers.getSetCookie())
        location = new URL(reply.headers.get('location') ?? `${publicUrl}/stopped?status=${reply.status}`, location).href
      }
      return location.replace(publicUrl, '')
    },
    /** Signs in, and returns where the browser ends up. */
    async signIn(id: string, query = '') {
      const callback = await browser.visitProvider(id, query)
      if (!callback.includes('/callback')) return callback
      return String((await ask('GET', callback)).headers['location'])
    },
    pending: async () => (await ask('POST', '/v1/identity/provider/pending', script)).json().data,
    link: (headers: Record<string, string> = {}) => ask('POST', '/v1/identity/provider/link', { ...script, ...headers }),
    /** Returns the header of the session in the cookie `_auth`. */
    async restore() {
      const { token } = (await ask('POST', '/v1/identity/session', script)).json()
      return toBearerHeader(token ?? '')
    },
  }
  return browser
}

export const noRules: ProviderRules = { domains: [], trust_email: false, create: null, claim: null, second_factor: 'neptune' }

/** Starts a server with an admin, and a real provider that is set up there. `rules` get the id of the admin's company. */
export async function startWithProvider(
  rules: (company: string) => Partial<ProviderRules> = () => ({}),
  options: Parameters<typeof startProvider>[0] = {},
) {
  const provider = await startProvider(options)
  const server = await startTestServer({ PUBLIC_URL: publicUrl })
  server.clock.now = new Date() // the provider has a clock of its own
  const adminId = await server.addUser({ email: 'admin@acme.example', role: 'NEPTUNE_ADMIN' })
  const admin = await server.startSessionAs('admin@acme.example')
  const { company_id } = await server.deps.db
    .selectFrom('user')
    .select('company_id')
    .where('id', '=', adminId)
    .executeTakeFirstOrThrow()
  const call = (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object,
    headers: Record<string, string> = admin,
  ) => server.app.inject({ method, url, headers, ...(payload && { payload }) })
  const addProvider = async (more: object = {}) => {
    const body = {
      name: 'Acme login',
      issuer: provider.issuer,
      client_id: 'neptune',
      client_secret: clientSecret,
      rules: { ...noRules, ...rules(company_id) },
      ...more,
    }
    const reply = await call('POST', '/v1/admin/provider', body)
    if (reply.statusCode !== 200) throw new Error(reply.body)
    return reply.json().data as { id: string; version: number }
  }
  const { id } = await addProvider()
  return {
    ...server,
    provider,
    id,
    admin,
    adminId,
    companyId: company_id,
    call,
    addProvider,
    browser: () => openBrowser(server.app),
    readUser: async (headers: Record<string, string>) => (await call('GET', '/v1/identity', undefined, headers)).json().data,
    listAudit: async (action: string) => (await call('GET', `/v1/activity?action=${action}`)).json().data,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]()
      await provider.stop()
    },
  }
}

/** Lets people of acme.example in, as users of the admin's company. */
export const letIn = (company: string): ProviderRules => ({
  ...noRules,
  domains: ['acme.example'],
  create: { company, role: 'NEPTUNE_USER', access: 'own' },
})

type Server = Awaited<ReturnType<typeof startWithProvider>>

/** Sets up an authenticator app. Returns a function that returns the next code. */
export async function addTotp(server: Pick<Server, 'call' | 'clock' | 'advance'>, headers: Record<string, string>) {
  const { secret } = (await server.call('POST', '/v1/identity/totp', undefined, headers)).json().data
  const generate = () => {
    server.advance(30_000) // each code works once
    return new TOTP({ secret }).generate({ timestamp: server.clock.now.getTime() })
  }
  const reply = await server.call('POST', '/v1/identity/totp/confirm', { code: generate() }, headers)
  if (reply.statusCode !== 200) throw new Error(reply.body)
  return generate
}
