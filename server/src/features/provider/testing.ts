import type { ProviderRules } from '@neptune/contract'
import { TOTP } from 'otpauth'
import { startTestServer, toBearerHeader } from '../../testing.ts'
import { clientSecret, startProvider } from './testing-provider.ts'

export const publicUrl = 'https://files.acme.example'

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
  const send = async (method: 'GET' | 'POST', url: string, headers: Record<string, string> = {}) => {
    const reply = await app.inject({ method, url, headers: { cookie: own.header(), ...headers } })
    own.store([reply.headers['set-cookie'] ?? []].flat())
    return reply
  }
  const script = { 'x-neptune': '1' }
  const browser = {
    cookies: own.cookies,
    send,
    /** Returns the address to which a provider sends the browser back. */
    async visitProvider(id: string, query = '') {
      let location = String((await send('GET', `/v1/identity/provider/${id}/start?${query}`)).headers['location'])
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
      return String((await send('GET', callback)).headers['location'])
    },
    pending: async () => (await send('POST', '/v1/identity/provider/pending', script)).json().data,
    link: (headers: Record<string, string> = {}) => send('POST', '/v1/identity/provider/link', { ...script, ...headers }),
    /** Restores the session of the cookie `_auth`, and returns its Authorization header. */
    async restore() {
      const { token } = (await send('POST', '/v1/identity/session', script)).json()
      return toBearerHeader(token ?? '')
    },
  }
  return browser
}

export const noRules: ProviderRules = { domains: [], trust_email: false, create: null, claim: null, second_factor: 'neptune' }

/** Starts a server with an admin, and a real provider that is set up there. `rules` get the id of the admin's company. */
export async function startWithProvider(
  rules: (company: string) => Partial<ProviderRules> = () => ({}),
  options: { isFullIdToken?: boolean } = {},
) {
  const provider = await startProvider({ publicUrl, ...options })
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
export const createAcmeRules = (company: string): ProviderRules => ({
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
