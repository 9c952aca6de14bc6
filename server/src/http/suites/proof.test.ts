import { api, type Endpoint } from '@neptune/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { password, startTestServer, toBearerHeader } from '../../testing.ts'

const endpoints = Object.values(api).flatMap((group) => Object.values<Endpoint>(group))
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const staffEndpoints = endpoints.filter(({ access }) => ['staff', 'admin', 'shared'].includes(access))

let shared: ReturnType<typeof open> | undefined
const openShared = () => (shared ??= open())
afterAll(async () => (await shared)?.[Symbol.asyncDispose]())

/** Starts a server with an admin who has a session and an API token, and signed in 16 minutes ago. */
async function open() {
  const server = await startTestServer()
  await server.addUser({ email: 'admin@acme.example', role: 'NEPTUNE_ADMIN' })
  const session = await server.startSessionAs('admin@acme.example')
  const create = { method: 'POST', url: '/v1/token', headers: session, payload: { name: 'script', scope: 'write' } } as const
  const script = toBearerHeader((await server.app.inject(create)).json().data.token)
  server.advance(16 * 60_000)
  const codesOf = (list: Endpoint[], headers: Record<string, string>) =>
    Promise.all(list.map(async (e) => [nameOf(e), (await server.call(e, { headers })).json().code] as const))
  return { ...server, session, script, codesOf }
}

describe('a call that changes who can do what', () => {
  const sensitive = endpoints.filter(({ isSensitive }) => isSensitive)

  it('requires that the caller signed in or confirmed their identity recently', async () => {
    const { codesOf, session } = await openShared()
    expect(sensitive.length).toBeGreaterThan(15)
    for (const [name, code] of await codesOf(sensitive, session)) expect(code, name).toBe('session.unconfirmed')
  })

  it('is closed to API tokens, even right after their owner has confirmed their identity', async () => {
    const { app, codesOf, session, script } = await openShared()
    const confirm = { method: 'POST', url: '/v1/identity/confirm', headers: session, payload: { password } } as const
    expect((await app.inject(confirm)).statusCode).toBe(204)
    for (const [name, code] of await codesOf(sensitive, script)) expect(code, name).toBe('token.forbidden')
  })
})

describe('someone who must set up a second factor', () => {
  const open = staffEndpoints.filter(({ isForEnrollment }) => isForEnrollment)

  it('is rejected by every endpoint that is not for enrollment, in a session or with an API token', async () => {
    const { codesOf, deps, session, script } = await openShared()
    await deps.db
      .insertInto('setting')
      .values({ section: 'security', value: '{"second_factor":"admins"}', version: 1, changed_at: '' })
      .execute()
    const closed = staffEndpoints.filter((e) => !open.includes(e))
    expect(closed.length).toBeGreaterThan(80)
    for (const [name, code] of await codesOf(closed, session)) expect(code, name).toBe('session.factor_required')
    for (const [name, code] of await codesOf(staffEndpoints, script))
      expect(['session.factor_required', 'token.forbidden'], name).toContain(code)
  })

  it('can call only the endpoints listed here', () => {
    expect(open.map(nameOf).toSorted()).toEqual([
      'DELETE /v1/identity',
      'DELETE /v1/identity/passkey/{id}',
      'DELETE /v1/identity/totp',
      'DELETE /v1/identity/trusted-browser',
      'GET /v1/identity',
      'GET /v1/identity/factor',
      'GET /v1/identity/passkey',
      'GET /v1/identity/provider/logout',
      'PATCH /v1/identity/language',
      'PATCH /v1/identity/passkey/{id}',
      'POST /v1/identity/confirm',
      'POST /v1/identity/passkey',
      'POST /v1/identity/passkey/confirm',
      'POST /v1/identity/passkey/confirm/options',
      'POST /v1/identity/passkey/registration',
      'POST /v1/identity/recovery-code',
      'POST /v1/identity/totp',
      'POST /v1/identity/totp/confirm',
    ])
  })
})
