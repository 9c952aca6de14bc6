import { describe, expect, it } from 'vitest'
import { toBearerHeader } from '../../testing.ts'
import { email, startSignedIn } from '../identity/testing.ts'

const hour = 3_600_000
const day = 24 * hour

describe('a session', () => {
  it('returns its user', async () => {
    await using server = await startSignedIn()
    const reply = await server.app.inject({ url: '/v1/identity', headers: toBearerHeader(server.token) })
    expect(reply.json().data).toMatchObject({ id: server.userId, email, role: 'NEPTUNE_ADMIN' })
  })

  it('ends after twelve hours without a request', async () => {
    await using server = await startSignedIn()
    server.advance(12 * hour - 1)
    expect(await server.getStatus()).toBe(200)
    server.advance(12 * hour)
    expect(await server.getStatus()).toBe(401)
  })

  it('ends after thirty days without a request when it is remembered', async () => {
    await using server = await startSignedIn({ remember: true })
    server.advance(30 * day - 1)
    expect(await server.getStatus()).toBe(200)
    server.advance(30 * day)
    expect(await server.getStatus()).toBe(401)
  })

  it('ends at the configured lifetime, even while it is used', async () => {
    await using server = await startSignedIn({}, { SESSION_MINUTES: '90' })
    server.advance(89 * 60_000)
    expect(await server.getStatus()).toBe(200)
    server.advance(60_000)
    expect(await server.getStatus()).toBe(401)
  })

  it('records its last request at most once a minute', async () => {
    await using server = await startSignedIn()
    const readLastSeen = async () =>
      (await server.deps.db.selectFrom('session').select('last_seen_at').executeTakeFirstOrThrow()).last_seen_at
    const atStart = await readLastSeen()
    server.advance(59_000)
    await server.getStatus()
    expect(await readLastSeen()).toBe(atStart)
    server.advance(2_000)
    await server.getStatus()
    expect(await readLastSeen()).toBe('2026-12-01T09:01:01.000Z')
  })

  it('continues while it is used, however short the idle timeout', async () => {
    await using server = await startSignedIn({}, { SESSION_IDLE_MINUTES: '1' })
    for (let i = 0; i < 10; i++) {
      server.advance(20_000)
      expect(await server.getStatus()).toBe(200)
    }
    server.advance(61_000)
    expect(await server.getStatus()).toBe(401)
  })

  it('is deleted by the sweep after it has ended', async () => {
    await using server = await startSignedIn()
    const { sweepSessions } = await import('./session.service.ts')
    const countTokens = async () => (await server.deps.db.selectFrom('session_token').selectAll().execute()).length
    await sweepSessions(server.deps)
    expect(await countTokens()).toBe(1)
    server.advance(13 * hour)
    await sweepSessions(server.deps)
    expect(await countTokens()).toBe(0)
  })

  it('P06: ends with sign-out, for its token and its cookie', async () => {
    await using server = await startSignedIn()
    const reply = await server.app.inject({ method: 'DELETE', url: '/v1/identity', headers: toBearerHeader(server.token) })
    expect(reply.statusCode).toBe(204)
    expect(reply.headers['clear-site-data']).toBe('"storage"')
    expect(String(reply.headers['set-cookie'])).toMatch(/^_auth=;.*Max-Age=0$/)
    expect(await server.getStatus()).toBe(401)
    expect((await server.restore(server.cookie)).statusCode).toBe(401)
  })

  it('P07: has a token of 256 random bits that is only in the response', async () => {
    await using server = await startSignedIn()
    const tokens = new Set<string>()
    for (let i = 0; i < 10; i++) tokens.add((await server.signIn(email)).json().token)
    expect(tokens.size).toBe(10)
    expect([...tokens].every((token) => /^nps_[\w-]{43}$/.test(token))).toBe(true)
    const stored = JSON.stringify([
      await server.deps.db.selectFrom('session').selectAll().execute(),
      await server.deps.db.selectFrom('session_token').selectAll().execute(),
    ])
    const secret = server.cookie.split('.').at(-1) ?? 'none'
    for (const text of [stored, server.logLines.join('')]) {
      expect([...tokens].some((token) => text.includes(token.slice(4)))).toBe(false)
      expect(text).not.toContain(secret)
    }
  })

  it.each([
    ['suspended', { suspended_at: '2026-12-01T09:00:00.000Z' }],
    ['given a new password, which raises the generation', { generation: 1 }],
  ])('P08: ends with the next request after its user is %s', async (_, change) => {
    await using server = await startSignedIn()
    expect(await server.getStatus()).toBe(200)
    await server.deps.db.updateTable('user').set(change).execute()
    expect(await server.getStatus()).toBe(401)
    expect((await server.restore(server.cookie)).statusCode).toBe(401)
  })

  it('P08: has the current rights of its user', async () => {
    await using server = await startSignedIn()
    const { identifyUser } = await import('./session.service.ts')
    expect(await identifyUser(server.deps, server.token, '192.0.2.1')).toMatchObject({ role: 'NEPTUNE_ADMIN' })
    await server.deps.db.updateTable('user').set({ role: 'NEPTUNE_USER' }).execute()
    expect(await identifyUser(server.deps, server.token, '192.0.2.1')).toMatchObject({ role: 'NEPTUNE_USER' })
    const reply = await server.app.inject({ url: '/v1/identity', headers: toBearerHeader(server.token) })
    expect(reply.json().data.role).toBe('NEPTUNE_USER')
  })
})

describe('P02: invalid credentials', () => {
  const createJwt = (header: object) =>
    `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${Buffer.from('{"sub":"admin"}').toString('base64url')}.c2ln`

  it.each([
    ['an empty bearer', 'Bearer '],
    ['Bearer without a token', 'Bearer'],
    ['Basic authentication', `Basic ${Buffer.from(`${email}:x`).toString('base64')}`],
    ['a token of ten kilobytes', `Bearer ${'A'.repeat(10_000)}`],
    ['a JWT without an algorithm', `Bearer ${createJwt({ alg: 'none' })}`],
    ['a JWT with a guessed key', `Bearer ${createJwt({ alg: 'HS256' })}`],
    ['an SQL fragment', "Bearer ' or '1'='1"],
  ])('%s gets 401', async (_, authorization) => {
    await using server = await startSignedIn()
    const reply = await server.app.inject({ url: '/v1/identity', headers: { authorization } })
    expect(reply.statusCode).toBe(401)
  })

  it('a token with one altered character gets 401', async () => {
    await using server = await startSignedIn()
    expect(await server.getStatus(server.token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).toBe(401)
  })

  it('two headers get 401, even with the correct token in both', async () => {
    await using server = await startSignedIn()
    await server.app.listen({ port: 0, host: '127.0.0.1' })
    const { request } = await import('node:http')
    const status = await new Promise((resolve) => {
      const header = `Bearer ${server.token}`
      request(
        `${server.app.listeningOrigin}/v1/identity`,
        { headers: ['host', 'localhost', 'authorization', header, 'authorization', header] },
        (reply) => {
          reply.resume()
          resolve(reply.statusCode)
        },
      ).end()
    })
    expect(status).toBe(401)
  })
})
