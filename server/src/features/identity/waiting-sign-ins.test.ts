import { describe, expect, it } from 'vitest'
import { password } from '../../testing.ts'
import { addTotp, createAcmeRules, startWithProvider } from '../provider/testing.ts'
import { createOperatorLink } from './operator-link.service.ts'

const kim = 'kim@acme.example'

/** Starts a server with Kim, in a company of her own, and a provider that manages her domain. */
async function startWithKim() {
  const server = await startWithProvider(createAcmeRules)
  const id = await server.addUser({ email: kim })
  const company = (await server.call('GET', `/v1/admin/user/${id}`)).json().data.company as string
  const post = (url: string, payload: object = {}) => server.call('POST', url, payload, {})
  return { ...server, kimId: id, company, post }
}

type Server = Awaited<ReturnType<typeof startWithKim>>

/** Begins a sign-in. Returns a function that completes it. */
type Begin = (server: Server) => Promise<() => Promise<{ statusCode: number; json: () => { token?: string } }>>

const beginWithPassword = async (server: Server) => {
  const reply = await server.post('/v1/identity/login', { email: kim, password })
  return reply.json().second_factor.challenge as string
}

const waiting: [string, Begin][] = [
  [
    'a code',
    async (server) => {
      const code = await addTotp(server, await server.startSessionAs(kim))
      const challenge = await beginWithPassword(server)
      return () => server.post('/v1/identity/second-factor', { challenge, code: code() })
    },
  ],
  [
    'a recovery code',
    async (server) => {
      const headers = await server.startSessionAs(kim)
      await addTotp(server, headers)
      const renewed = await server.call('POST', '/v1/identity/recovery-code', undefined, headers)
      const [code] = renewed.json().data.recovery_codes
      const challenge = await beginWithPassword(server)
      return () => server.post('/v1/identity/second-factor', { challenge, code })
    },
  ],
  [
    'a second factor after the provider',
    async (server) => {
      const browser = server.browser()
      await browser.signIn(server.id)
      const headers = { authorization: `Bearer ${(await browser.link()).json().token}` }
      const code = await addTotp(server, headers)
      const later = server.browser()
      expect(await later.signIn(server.id)).toBe('/login?sso=second-factor')
      const { challenge } = (await later.pending()).second_factor
      return () => server.post('/v1/identity/second-factor', { challenge, code: code() })
    },
  ],
  [
    'consent to link the provider account',
    async (server) => {
      const browser = server.browser()
      expect(await browser.signIn(server.id)).toBe('/login?sso=link')
      return () => browser.link()
    },
  ],
  [
    'the use of an operator’s link',
    async (server) => {
      const { url } = await createOperatorLink(server.deps, kim, { removesFactors: false })
      return () => server.post('/v1/identity/operator-link', { token: url.split('/').at(-1) })
    },
  ],
]

const obstacles: [string, (server: Server) => Promise<unknown>][] = [
  ['is suspended', (server) => server.call('POST', `/v1/admin/user/${server.kimId}/suspend`)],
  ['is suspended and restored', suspendAndRestore],
  ['is removed', (server) => server.call('POST', `/v1/admin/user/${server.kimId}/remove`, {})],
  ['belongs to a company that is archived', (server) => server.call('POST', `/v1/admin/company/${server.company}/archive`)],
  ['is signed out everywhere', (server) => server.call('DELETE', `/v1/admin/user/${server.kimId}/session`)],
]

async function suspendAndRestore(server: Server) {
  await server.call('POST', `/v1/admin/user/${server.kimId}/suspend`)
  return server.call('POST', `/v1/admin/user/${server.kimId}/restore`)
}

describe.each(waiting)('a sign-in that waits for %s', (_, begin) => {
  it('succeeds', async () => {
    await using server = await startWithKim()
    const reply = await (await begin(server))()
    expect(reply.statusCode).toBe(200)
    expect(await server.readUser({ authorization: `Bearer ${reply.json().token}` })).toMatchObject({ id: server.kimId })
  })

  it.each(obstacles)('fails after the person %s', async (__, stop) => {
    await using server = await startWithKim()
    const finish = await begin(server)
    expect((await stop(server)) as { statusCode: number }).toMatchObject({ statusCode: expect.toSatisfy((code) => code < 300) })
    const { statusCode } = await finish()
    expect([401, 404]).toContain(statusCode)
  })
})
