import { api, type Endpoint } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { bearer, startTestServer } from '../testing.ts'
import { openapi } from './openapi.ts'

const endpoints = Object.values(api).flatMap((group) =>
  Object.values<Endpoint>(group).map((e) => [`${e.method} ${e.path}`, e] as const),
)
const guarded = endpoints.filter(([, e]) => e.access !== 'public')
const withBody = endpoints.filter(([, e]) => e.body)

describe('every endpoint of the contract', () => {
  it.each(endpoints)('%s is served', async (_, e) => {
    await using server = await startTestServer()
    expect(server.app.hasRoute({ method: e.method, url: e.path.replaceAll(/\{(\w+)\}/g, ':$1') })).toBe(true)
  })

  it.each(guarded)('%s turns strangers away', async (_, e) => {
    await using server = await startTestServer()
    for (const headers of [{}, bearer(`nps_${'A'.repeat(43)}`), { cookie: '_auth=npr_x' }]) {
      const reply = await server.call(e, { headers })
      expect(reply.statusCode).toBe(401)
      expect(reply.headers['content-type']).toBe('application/problem+json')
      expect(reply.json().code).toBe('session.missing')
    }
  })

  it.each(endpoints)('%s is described', (_, e) => {
    const operation = openapi().paths[e.path]?.[e.method.toLowerCase()] as {
      summary: string
      security: unknown[]
      responses: object
    }
    expect(operation.summary).toBe(e.summary)
    expect(operation.security).toEqual(e.access === 'public' ? [] : [{ bearer: [] }])
    expect(Object.keys(operation.responses)).toContain(e.reply === 'none' ? '204' : '200')
  })

  it.each(withBody)('%s refuses unknown fields by name', async (_, e) => {
    await using server = await startTestServer()
    const reply = await server.call(e, { payload: { isAdmin: true } })
    expect(reply.statusCode).toBe(400)
    expect(reply.json().errors).toContainEqual({ field: 'isAdmin', message: 'There is no such field.' })
  })

  it.each(endpoints.filter(([, e]) => !e.body && e.method !== 'GET'))('%s takes no body', async (_, e) => {
    await using server = await startTestServer()
    await server.addUser({ email: 'kim@acme.example', role: 'NEPTUNE_ADMIN' })
    const { token } = (await server.signIn('kim@acme.example')).json()
    const reply = await server.call(e, { headers: bearer(token), payload: { role: 'NEPTUNE_ADMIN' } })
    expect(reply.statusCode).toBe(400)
  })

  it.each(withBody)('P40: %s refuses control characters in every string', async (_, e) => {
    await using server = await startTestServer()
    const operation = openapi().paths[e.path]?.[e.method.toLowerCase()] as {
      requestBody: {
        content: { 'application/json': { schema: { properties: Record<string, { type: string; enum?: string[] }> } } }
      }
    }
    const { properties } = operation.requestBody.content['application/json'].schema
    const texts = Object.entries(properties).filter(([, schema]) => schema.type === 'string' && !schema.enum)
    expect(texts.length).toBeGreaterThan(0)
    for (const [field] of texts) {
      for (const text of ['a\u0000b', 'a\u001bb', 'a\r\nb', 'a\u007fb', 'a\u0085b', '\ud800']) {
        const others = Object.fromEntries(texts.map(([name]) => [name, 'fine']))
        const reply = await server.call(e, { payload: { ...others, [field]: text } })
        expect(reply.statusCode, JSON.stringify(text)).toBe(400)
        expect(reply.json().errors[0].field).toBe(field)
      }
    }
  })
})

it('a route that does not say who may call it stops the server from being built', async () => {
  await using server = await startTestServer()
  const { addGuard } = await import('./guard.ts')
  const { default: Fastify } = await import('fastify')
  const app = Fastify()
  addGuard(app, async () => ({ kind: 'anonymous' }))
  expect(() => app.get('/v1/forgotten', async () => 'secret')).toThrow('does not say who may call it')
  expect(server.app.hasRoute({ method: 'GET', url: '/v1/forgotten' })).toBe(false)
})

it('serves its description, which is the one kept in docs/openapi.json', async () => {
  await using server = await startTestServer()
  const reply = await server.app.inject('/openapi.json')
  expect(reply.json()).toEqual(JSON.parse(JSON.stringify(openapi())))
  expect(reply.json().openapi).toBe('3.1.0')
})
