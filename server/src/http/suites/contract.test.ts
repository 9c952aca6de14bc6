import { api, type Endpoint } from '@neptune/contract'
import Fastify, { type InjectOptions } from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { toJSONSchema } from 'zod'
import { openOffice } from '../../features/link/testing.ts'
import type { Actor } from '../../lib/actor.ts'
import { startTestServer, toBearerHeader } from '../../testing.ts'
import { addErrorHandler } from '../errors.ts'
import { addGuard } from '../guard.ts'
import { buildOpenapi } from '../openapi/openapi.ts'

const endpoints = Object.values(api).flatMap((group) =>
  Object.values<Endpoint>(group).map((e) => [`${e.method} ${e.path}`, e] as const),
)
const guarded = endpoints.filter(([, e]) => e.access !== 'public')
const withBody = endpoints.filter(([, e]) => e.body && typeof e.body !== 'string')

/** One server for all tests here: their requests are rejected and change nothing. */
let shared: ReturnType<typeof openShared> | undefined
const open = () => (shared ??= openShared())
afterAll(async () => (await shared)?.office[Symbol.asyncDispose]())

async function openShared() {
  const office = await openOffice()
  const recipient = await office.enter(await office.share('LINK_EDITABLE_DIRECTORY'))
  return {
    office,
    /** Returns the headers of a caller with access to this endpoint. */
    headersFor: ({ access }: Endpoint) => (access === 'link' ? recipient : office.admin),
    call: ({ method, path }: Endpoint, options: Partial<InjectOptions>) =>
      office.app.inject({ method, url: path.replaceAll(/\{\w+\}/g, 'x'), ...options }),
  }
}

describe('every endpoint of the contract', () => {
  it.each(endpoints)('%s is served', async (_, e) => {
    const { office } = await open()
    expect(office.app.hasRoute({ method: e.method, url: e.path.replaceAll(/\{(\w+)\}/g, ':$1') })).toBe(true)
  })

  it.each(guarded)('%s requires a session', async (_, e) => {
    const { call } = await open()
    for (const headers of [{}, toBearerHeader(`nps_${'A'.repeat(43)}`), { cookie: '_auth=npr_x' }]) {
      const reply = await call(e, { headers })
      expect(reply.statusCode).toBe(401)
      expect(reply.headers['content-type']).toBe('application/problem+json')
      expect(reply.json().code).toBe('session.missing')
    }
  })

  it.each(endpoints)('%s is in the OpenAPI document', (_, e) => {
    const operation = buildOpenapi().paths[e.path]?.[e.method.toLowerCase()] as {
      summary: string
      security: unknown[]
      responses: object
    }
    expect(operation.summary).toBe(e.summary)
    expect(operation.security).toEqual(e.access === 'public' ? [] : [{ bearer: [] }])
    expect(Object.keys(operation.responses).some((status) => status.startsWith(e.reply === 'redirect' ? '3' : '2'))).toBe(true)
  })

  it.each(endpoints)('%s has exactly its declared parameters in the path', (_, e) => {
    const inPath = [...e.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const declared = e.params ? Object.keys(toJSONSchema(e.params, { io: 'input' }).properties ?? {}) : []
    expect(declared.toSorted()).toEqual(inPath.toSorted())
  })

  it('rejects a parameter given twice', async () => {
    const { call, headersFor } = await open()
    for (const [name, e] of endpoints) {
      const reply = await call({ ...e, path: `${e.path}?company=a&company=b` }, { headers: headersFor(e) })
      expect(reply.statusCode, name).toBe(400)
    }
  })

  it.each(withBody)('%s rejects unknown fields by name', async (_, e) => {
    const { call, headersFor } = await open()
    const reply = await call(e, { payload: { isAdmin: true }, headers: headersFor(e) })
    expect(reply.statusCode).toBe(400)
    expect(reply.json().errors).toContainEqual({ field: 'isAdmin', message: 'There is no such field.' })
  })

  it.each(endpoints.filter(([, e]) => !e.body && e.method !== 'GET' && e.method !== 'HEAD'))(
    '%s rejects a body',
    async (_, e) => {
      const { call, office } = await open()
      const reply = await call(e, { headers: office.admin, payload: { role: 'NEPTUNE_ADMIN' } })
      expect(reply.statusCode).toBe(400)
    },
  )

  it.each(withBody)('P40: %s rejects control characters in every string', async (_, e) => {
    const { call, headersFor } = await open()
    const operation = buildOpenapi().paths[e.path]?.[e.method.toLowerCase()] as {
      requestBody: {
        content: { 'application/json': { schema: { properties: Record<string, { type: string; enum?: string[] }> } } }
      }
    }
    const { properties } = operation.requestBody.content['application/json'].schema
    const texts = Object.entries(properties).filter(([, schema]) => schema.type === 'string' && !schema.enum)
    const headers = headersFor(e)
    for (const [field] of texts) {
      for (const text of ['a\u0000b', 'a\u001bb', 'a\r\nb', 'a\u007fb', 'a\u0085b', '\ud800']) {
        const others = Object.fromEntries(texts.map(([name]) => [name, 'fine']))
        const reply = await call(e, { payload: { ...others, [field]: text }, headers })
        expect(reply.statusCode, JSON.stringify(text)).toBe(400)
        expect(reply.json().errors).toContainEqual(expect.objectContaining({ field }))
      }
    }
  })
})

describe('the guard', () => {
  const staff = {
    kind: 'staff',
    userId: 'u',
    companyId: 'c',
    sessionId: 's',
    name: 'Kim',
    access: 'own',
    client: '192.0.2.1',
  } as const
  const actors: Record<string, Actor> = {
    nps_userusu1234567890: { ...staff, role: 'NEPTUNE_USER' },
    nps_adminadmin1234567: { ...staff, role: 'NEPTUNE_ADMIN' },
  }
  const createGuardedApp = () => {
    const app = Fastify()
    addErrorHandler(app)
    addGuard(app, async (token) => actors[token] ?? { kind: 'anonymous' })
    return app
  }

  it('rejects routes without an access rule and API routes outside the contract', () => {
    expect(() => createGuardedApp().get('/forgotten', async () => 'secret')).toThrow('has no access rule')
    expect(() => createGuardedApp().get('/v1/extra', { config: { access: 'public' } }, async () => '')).toThrow(
      'is not in the contract',
    )
  })

  it('answers 401 to anonymous callers and 403 to users on admin routes', async () => {
    const app = createGuardedApp()
    app.get('/admin', { config: { access: 'admin' } }, async () => ({ secret: true }))
    const requestStatus = async (token?: string) =>
      (await app.inject({ url: '/admin', headers: token ? toBearerHeader(token) : {} })).statusCode
    expect(await requestStatus()).toBe(401)
    expect(await requestStatus('nps_userusu1234567890')).toBe(403)
    expect(await requestStatus('nps_adminadmin1234567')).toBe(200)
  })
})

it('serves the OpenAPI document', async () => {
  await using server = await startTestServer()
  const reply = await server.app.inject('/openapi.json')
  expect(reply.json()).toEqual(JSON.parse(JSON.stringify(buildOpenapi())))
  expect(reply.json().openapi).toBe('3.1.0')
})
