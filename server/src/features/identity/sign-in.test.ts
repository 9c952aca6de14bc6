import { describe, expect, it } from 'vitest'
import { password, startTestServer, toBearerHeader, withoutRequestId } from '../../testing.ts'
import { writeQueuedEntries } from '../audit/audit.service.ts'

const email = 'kim@acme.example'
const paths = ['/v1/identity/login', '/v1/user/identity']

async function startWithKim(environment?: Record<string, string>) {
  const server = await startTestServer(environment)
  const userId = await server.addUser({ email })
  return { ...server, userId }
}

describe('signing in', () => {
  it.each(paths)('%s returns a token, its type, its expiry and the user', async (path) => {
    await using server = await startWithKim()
    const reply = await server.signIn(email, password, { path })
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({
      token: expect.stringMatching(/^nps_[\w-]{43}$/),
      type: 'Bearer',
      expiresAt: new Date(server.deps.now().getTime() + 6_000_000 * 60_000).toISOString(),
      info: {
        id: server.userId,
        name: 'Kim Doe',
        email,
        company: expect.any(String),
        company_name: 'Acme GmbH',
        role: 'NEPTUNE_USER',
        access: 'own',
        language: null,
      },
    })
  })

  it('ignores case and surrounding spaces in the email', async () => {
    await using server = await startWithKim()
    expect((await server.signIn('  Kim@ACME.example ')).statusCode).toBe(200)
  })

  it('rehashes the password when the cost parameters have changed', async () => {
    await using server = await startWithKim()
    const { hashPassword } = await import('../../lib/password/passwords.ts')
    const { argon2Sync } = await import('node:crypto')
    const nonce = Buffer.alloc(16, 7)
    const tag = argon2Sync('argon2id', { message: password, nonce, memory: 8192, passes: 1, parallelism: 1, tagLength: 32 })
    const old = `$argon2id$v=19$m=8192,t=1,p=1$${nonce.toString('base64')}$${tag.toString('base64')}`
    await server.deps.db.updateTable('user').set({ password_hash: old }).execute()
    expect((await server.signIn(email)).statusCode).toBe(200)
    const { password_hash } = await server.deps.db.selectFrom('user').select('password_hash').executeTakeFirstOrThrow()
    expect(password_hash.slice(0, 30)).toBe((await hashPassword('x')).slice(0, 30))
    expect((await server.signIn(email)).statusCode).toBe(200)
  })

  it('keeps the newest twenty sessions of a user', async () => {
    await using server = await startWithKim()
    const tokens: string[] = []
    for (let i = 0; i < 21; i++) {
      server.advance(1000)
      tokens.push((await server.signIn(email)).json().token)
    }
    const getStatus = async (token: string | undefined) =>
      (await server.app.inject({ url: '/v1/identity', headers: toBearerHeader(token ?? '') })).statusCode
    expect(await getStatus(tokens[0])).toBe(401)
    expect(await getStatus(tokens[1])).toBe(200)
    expect(await getStatus(tokens[20])).toBe(200)
  })

  it('P03: gives the same response for an unknown email, a wrong password and a suspended account', async () => {
    await using server = await startWithKim()
    await server.addUser({ email: 'gone@acme.example' })
    await server.deps.db
      .updateTable('user')
      .set({ suspended_at: '2026-11-30T00:00:00.000Z' })
      .where('email', '=', 'gone@acme.example')
      .execute()
    const replies = [
      await server.signIn('nobody@acme.example'),
      await server.signIn(email, 'wrong password'),
      await server.signIn('gone@acme.example'),
    ]
    for (const reply of replies) {
      expect(reply.statusCode).toBe(401)
      expect(withoutRequestId(reply)).toBe(replies[0] && withoutRequestId(replies[0]))
      expect(Object.keys(reply.headers)).toEqual(Object.keys(replies[0]?.headers ?? {}))
    }
    expect(replies[0]?.json().code).toBe('session.wrong_credentials')
  })

  it('records why someone with the right password can’t sign in, but no reason if the password is wrong', async () => {
    await using server = await startWithKim()
    const gone = 'gone@acme.example'
    const id = await server.addUser({ email: gone })
    const signInTwice = async () => {
      await server.signIn(gone)
      await server.signIn(gone, 'wrong password')
    }
    const update = (changes: { suspended_at: string | null }) =>
      server.deps.db.updateTable('user').set(changes).where('id', '=', id).execute()
    await update({ suspended_at: '2026-11-30T00:00:00.000Z' })
    await signInTwice()
    await update({ suspended_at: null })
    const ofGone = server.deps.db.selectFrom('user').select('company_id').where('id', '=', id)
    await server.deps.db
      .updateTable('company')
      .set({ archived_at: '2026-11-30T00:00:00.000Z' })
      .where('id', 'in', ofGone)
      .execute()
    await signInTwice()
    await writeQueuedEntries(server.deps)
    const entries = await server.deps.db
      .selectFrom('audit')
      .select(['action', 'name', 'note', 'outcome'])
      .where('name', '=', gone)
      .orderBy('seq')
      .execute()
    const refused = { action: 'session.refused', name: gone, note: null, outcome: 'refused' }
    const unavailable = { ...refused, action: 'session.unavailable' }
    expect(entries).toEqual([
      { ...unavailable, note: 'suspended' },
      refused,
      { ...unavailable, note: 'company_archived' },
      refused,
    ])
  })

  it('P04: takes as much CPU time for an unknown email as for a known one', async () => {
    await using server = await startWithKim()
    const measureCpuTime = async (address: string) => {
      await server.deps.db.deleteFrom('throttle').execute()
      const start = process.cpuUsage()
      await server.signIn(address, 'wrong password')
      const { user, system } = process.cpuUsage(start)
      return user + system // CPU time, because wall-clock time depends on what else the machine does
    }
    const measureDifference = async () => {
      const times = { known: [] as number[], unknown: [] as number[] }
      for (let i = 0; i < 20; i++) {
        times.known.push(await measureCpuTime(email))
        times.unknown.push(await measureCpuTime('nobody@acme.example'))
      }
      return Math.abs(computeMedian(times.known) / computeMedian(times.unknown) - 1)
    }
    // A timing leak shows up in every round; the noise of a busy machine does not.
    let rounds = 0
    let smallest = Number.POSITIVE_INFINITY
    while (smallest >= 0.15 && rounds++ < 5) smallest = Math.min(smallest, await measureDifference())
    expect(smallest).toBeLessThan(0.15)
  })

  it.each([
    ['a missing email', { password }, 'email'],
    ['an empty password', { email, password: '' }, 'password'],
    ['a huge password', { email, password: 'x'.repeat(1025) }, 'password'],
    ['an email that is an array', { email: [email], password }, 'email'],
    ['an email that is a query operator', { email: { $ne: '' }, password }, 'email'],
  ])('rejects %s and names the field', async (_, payload, field) => {
    await using server = await startWithKim()
    const reply = await server.app.inject({ method: 'POST', url: '/v1/identity/login', payload })
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toMatchObject({ code: 'request.invalid', errors: [{ field }] })
  })
})

const computeMedian = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[numbers.length / 2] ?? 0

describe('P05: guessing passwords', () => {
  const guess = (server: Awaited<ReturnType<typeof startWithKim>>, i: number, path = paths[0]) =>
    server.signIn(email, `guess ${i}`, {
      path: path ?? '',
      headers: { 'x-forwarded-for': `203.0.113.${i}`, 'x-real-ip': `198.51.100.${i}` },
    })

  it('is blocked at the eleventh attempt, over both paths and even with a forged `X-Forwarded-For`', async () => {
    await using server = await startWithKim()
    for (let i = 0; i < 10; i++) expect((await guess(server, i, paths[i % 2])).statusCode).toBe(401)
    const reply = await guess(server, 10)
    expect(reply.statusCode).toBe(429)
    expect(reply.json().code).toBe('session.too_many_tries')
    expect(Number(reply.headers['retry-after'])).toBe(15 * 60)
  })

  it('is limited to ten attempts when all of them are concurrent, too', async () => {
    await using server = await startWithKim()
    const replies = await Promise.all(Array.from({ length: 24 }, (_, i) => guess(server, i, paths[i % 2])))
    expect(replies.filter((reply) => reply.statusCode === 401)).toHaveLength(10)
    expect(replies.filter((reply) => reply.statusCode === 429)).toHaveLength(14)
  })

  it('is blocked even with the correct password, until the window ends', async () => {
    await using server = await startWithKim()
    for (let i = 0; i < 11; i++) await guess(server, i)
    expect((await server.signIn(email)).statusCode).toBe(429)
    server.advance(15 * 60_000)
    expect((await server.signIn(email)).statusCode).toBe(200)
  })

  it('does not block the owner at another address', async () => {
    await using server = await startWithKim()
    for (let i = 0; i < 11; i++) await guess(server, i)
    const reply = await server.app.inject({
      method: 'POST',
      url: '/v1/identity/login',
      remoteAddress: '192.0.2.7',
      payload: { email, password },
    })
    expect(reply.statusCode).toBe(200)
  })

  it('is blocked for one address that tries many accounts', async () => {
    await using server = await startWithKim()
    const codes: number[] = []
    for (let i = 0; i < 61; i++) codes.push((await server.signIn(`person${i}@acme.example`, 'guess')).statusCode)
    expect(codes.slice(0, 60).every((code) => code === 401)).toBe(true)
    expect(codes[60]).toBe(429)
  })

  it('is counted per IPv6 /64', async () => {
    await using server = await startWithKim()
    const guessFrom = (remoteAddress: string) =>
      server.app.inject({ method: 'POST', url: '/v1/identity/login', remoteAddress, payload: { email, password: 'guess' } })
    for (let i = 0; i < 10; i++) expect((await guessFrom(`2001:db8:1:2::${i}`)).statusCode).toBe(401)
    expect((await guessFrom('2001:db8:1:2:ffff::1')).statusCode).toBe(429)
    expect((await guessFrom('2001:db8:1:3::1')).statusCode).toBe(401)
  })

  it('is counted by X-Forwarded-For behind a trusted proxy', async () => {
    await using server = await startWithKim({ TRUST_PROXY: '127.0.0.1' })
    for (let i = 0; i < 12; i++) expect((await guess(server, i)).statusCode).toBe(401)
  })

  it('does not block sign-ins after a burst of correct passwords', async () => {
    await using server = await startWithKim()
    const burst = await Promise.all(Array.from({ length: 20 }, () => server.signIn(email)))
    // Two run and twelve wait; the others get `server.busy`.
    expect(burst.filter((reply) => reply.statusCode === 200)).toHaveLength(14)
    expect(burst.filter((reply) => reply.json().code === 'server.busy')).toHaveLength(6)
    expect((await server.signIn(email)).statusCode).toBe(200)
  })

  it('does not count attempts that succeed', async () => {
    await using server = await startWithKim()
    for (let i = 0; i < 15; i++) expect((await server.signIn(email)).statusCode).toBe(200)
  })

  it('leaves no rows for attempts that succeeded or were never checked', async () => {
    await using server = await startWithKim()
    const replies = await Promise.all(Array.from({ length: 20 }, () => server.signIn(email)))
    expect(replies.some((reply) => reply.json().code === 'server.busy')).toBe(true)
    expect(await server.deps.db.selectFrom('throttle').selectAll().execute()).toEqual([])
  })

  it('logs a warning when one account is attacked from many addresses, without locking it', async () => {
    await using server = await startWithKim()
    for (let i = 0; i < 100; i++) {
      await server.app.inject({
        method: 'POST',
        url: '/v1/identity/login',
        remoteAddress: `10.0.${i}.1`,
        payload: { email, password: 'guess' },
      })
    }
    expect(server.logLines.join('')).toContain('many failed attempts at one account')
    expect((await server.signIn(email)).statusCode).toBe(200)
  })
})
