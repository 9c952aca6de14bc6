import { describe, expect, it } from 'vitest'
import { password } from '../../testing.ts'
import { writeQueuedEntries } from '../audit/audit.service.ts'
import { cookiesOf, email, startWithKim, toBearerHeader } from './testing.ts'

const minuteMs = 60_000

describe('signing in with an authenticator app', () => {
  it('needs a code after the correct password', async () => {
    await using server = await startWithKim()
    const authenticatorApp = await server.setUpTotp()
    const { reply, challenge } = await server.enterPassword()
    expect(reply.statusCode).toBe(401)
    expect(reply.headers['set-cookie']).toBeUndefined()
    expect(reply.json()).toMatchObject({
      code: 'session.second_factor',
      second_factor: { challenge: expect.stringMatching(/^npc_/), methods: ['totp', 'recovery_code'], trust_days: 30 },
    })
    const session = await server.enterCode(challenge, authenticatorApp.read())
    expect(session.json()).toMatchObject({ type: 'Bearer', info: { email } })
    expect((await server.get('/v1/identity', toBearerHeader(session.json().token))).statusCode).toBe(200)
  })

  it('reveals no second factor to someone without the password', async () => {
    await using server = await startWithKim()
    await server.setUpTotp()
    const wrong = await server.signIn(email, 'a wrong password')
    expect(wrong.json()).toMatchObject({ code: 'session.wrong_credentials' })
    expect(wrong.json().second_factor).toBeUndefined()
  })

  it.each([
    ['accepts', 'of the previous step', -30],
    ['accepts', 'of the next step', 30],
    ['rejects', 'that is a minute old', -60],
    ['rejects', 'that is a minute early', 60],
  ])('%s a code %s', async (verdict, _, seconds) => {
    await using server = await startWithKim()
    const authenticatorApp = await server.setUpTotp()
    server.advance(10 * minuteMs)
    const { challenge } = await server.enterPassword()
    const reply = await server.enterCode(challenge, authenticatorApp.read(seconds))
    expect(reply.statusCode).toBe(verdict === 'accepts' ? 200 : 401)
    if (verdict === 'rejects') expect(reply.json().code).toBe('session.wrong_code')
  })

  it('accepts spaces in a code', async () => {
    await using server = await startWithKim()
    const authenticatorApp = await server.setUpTotp()
    const { challenge } = await server.enterPassword()
    expect((await server.enterCode(challenge, authenticatorApp.read().replace(/^.../, '$& '))).statusCode).toBe(200)
  })

  it('P58: rejects a code that was used, and older ones', async () => {
    await using server = await startWithKim()
    const authenticatorApp = await server.setUpTotp()
    server.advance(10 * minuteMs)
    const code = authenticatorApp.read()
    expect((await server.enterCode((await server.enterPassword()).challenge, code)).statusCode).toBe(200)
    const { challenge } = await server.enterPassword()
    for (const again of [code, authenticatorApp.read(-30)])
      expect((await server.enterCode(challenge, again)).json().code).toBe('session.wrong_code')
    server.advance(30_000)
    expect((await server.enterCode(challenge, authenticatorApp.read())).statusCode).toBe(200)
  })

  it('P58: accepts one of forty concurrent requests with the same code', async () => {
    await using server = await startWithKim()
    const authenticatorApp = await server.setUpTotp()
    const challenges: string[] = []
    for (let i = 0; i < 5; i++) challenges.push((await server.enterPassword()).challenge)
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, i) => server.enterCode(challenges[i % 5] ?? '', authenticatorApp.read())),
    )
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })

  it('P58: checks only ten guesses, including wrong passwords, and then rejects even the correct code', async () => {
    await using server = await startWithKim()
    const authenticatorApp = await server.setUpTotp()
    const { challenge } = await server.enterPassword()
    for (let i = 0; i < 4; i++) await server.signIn(email, 'a wrong password')
    const replies = await Promise.all(Array.from({ length: 40 }, () => server.enterCode(challenge, '000000')))
    expect(replies.filter(({ statusCode }) => statusCode === 401)).toHaveLength(6)
    expect(replies.filter(({ statusCode }) => statusCode === 429)).toHaveLength(34)
    expect((await server.enterCode(challenge, authenticatorApp.read())).statusCode).toBe(429)
    expect((await server.signIn(email)).statusCode).toBe(429)
    server.advance(15 * minuteMs)
    expect((await server.enterCode((await server.enterPassword()).challenge, authenticatorApp.read())).statusCode).toBe(200)
  })

  it('P58: limits guesses from many addresses by someone who knows the password', async () => {
    await using server = await startWithKim()
    await server.setUpTotp()
    const { challenge } = await server.enterPassword()
    const guess = (i: number) =>
      server.app.inject({
        method: 'POST',
        url: '/v1/identity/second-factor',
        remoteAddress: `198.51.100.${i}`,
        payload: { challenge, code: '000000' },
      })
    const statuses: number[] = []
    for (let i = 1; i <= 31; i++) statuses.push((await guess(i)).statusCode)
    expect(statuses.filter((status) => status === 401)).toHaveLength(30)
    expect(statuses.at(-1)).toBe(429)
  })

  it('ends a challenge after ten minutes, after a success, and when all sessions of the user are ended', async () => {
    await using server = await startWithKim()
    const authenticatorApp = await server.setUpTotp()
    const { challenge } = await server.enterPassword()
    server.advance(10 * minuteMs)
    expect((await server.enterCode(challenge, authenticatorApp.read())).json().code).toBe('session.challenge_ended')
    const second = await server.enterPassword()
    expect((await server.enterCode(second.challenge, authenticatorApp.read())).statusCode).toBe(200)
    server.advance(30_000)
    expect((await server.enterCode(second.challenge, authenticatorApp.read())).json().code).toBe('session.challenge_ended')
    const third = await server.enterPassword()
    await server.deps.db.updateTable('user').set({ generation: 7 }).execute()
    server.advance(30_000)
    expect((await server.enterCode(third.challenge, authenticatorApp.read())).json().code).toBe('session.challenge_ended')
    expect((await server.enterCode('npc_unknown', authenticatorApp.read())).json().code).toBe('session.challenge_ended')
  })

  it('rejects a suspended user', async () => {
    await using server = await startWithKim()
    const authenticatorApp = await server.setUpTotp()
    const { challenge } = await server.enterPassword()
    await server.deps.db.updateTable('user').set({ suspended_at: server.deps.now().toISOString() }).execute()
    expect((await server.enterCode(challenge, authenticatorApp.read())).json().code).toBe('session.challenge_ended')
  })

  it('records wrong codes, and the second factor of a sign-in', async () => {
    await using server = await startWithKim('NEPTUNE_ADMIN')
    const authenticatorApp = await server.setUpTotp()
    const { challenge } = await server.enterPassword()
    await server.enterCode(challenge, '000000')
    const session = (await server.enterCode(challenge, authenticatorApp.read())).json()
    await writeQueuedEntries(server.deps)
    const headers = toBearerHeader(session.token)
    const entries = (await server.get('/v1/activity', headers)).json().data
    expect(entries).toContainEqual(expect.objectContaining({ action: 'session.started', note: 'password + totp' }))
    expect(entries).toContainEqual(
      expect.objectContaining({ action: 'session.refused', outcome: 'refused', note: 'second factor', name: email }),
    )
    const [row] = (await server.get('/v1/identity/session', headers)).json().data
    expect(row).toMatchObject({ method: 'password', second_factor: 'totp', current: true })
  })

  it('needs a code after a password reset, too', async () => {
    await using server = await startWithKim()
    await server.setUpTotp()
    await server.post('/v1/identity/forgot', { email }, {})
    await server.deliver()
    const token = /\/reset\/([\w-]+)/.exec(server.sentEmails.map(({ text }) => text).join())?.[1]
    const reply = await server.post('/v1/identity/reset', { token, password: 'a brand new password' }, {})
    expect(reply.statusCode).toBe(204)
    expect(reply.headers['set-cookie']).toBeUndefined()
    expect((await server.signIn(email, 'a brand new password')).json().code).toBe('session.second_factor')
  })
})

describe('a recovery code', () => {
  it('works once, whatever its case and separator, and notifies the user', async () => {
    await using server = await startWithKim()
    const { codes } = await server.setUpTotp()
    expect(codes).toHaveLength(10)
    const [code = ''] = codes
    const { challenge } = await server.enterPassword()
    expect((await server.enterCode(challenge, code.toUpperCase().replace('-', ' '))).statusCode).toBe(200)
    await server.deliver()
    const { text, subject } = server.sentEmails.find(({ text }) => text?.includes('recovery code')) ?? {}
    expect(text).toContain('A recovery code was used to sign in to your account.')
    expect(subject).toBe('A recovery code was used for your account at Neptune')
    const again = await server.enterPassword()
    expect((await server.enterCode(again.challenge, code)).json().code).toBe('session.wrong_code')
    expect((await server.get('/v1/identity/factor')).json().data.recovery_codes).toBe(9)
  })

  it('is rejected for another user', async () => {
    await using server = await startWithKim()
    await server.setUpTotp()
    await server.addUser({ email: 'lee@acme.example' })
    const { codes } = await server.setUpTotp(await server.startSessionAs('lee@acme.example'))
    const { challenge } = await server.enterPassword()
    expect((await server.enterCode(challenge, codes[0] ?? '')).json().code).toBe('session.wrong_code')
  })

  it('stops working when new ones are created, and is stored as a hash', async () => {
    await using server = await startWithKim()
    const { codes } = await server.setUpTotp()
    const renewed = (await server.post('/v1/identity/recovery-code')).json().data.recovery_codes
    const { challenge } = await server.enterPassword()
    expect((await server.enterCode(challenge, codes[0] ?? '')).json().code).toBe('session.wrong_code')
    expect((await server.enterCode(challenge, renewed[0])).statusCode).toBe(200)
    const stored = JSON.stringify(await server.deps.db.selectFrom('recovery_code').selectAll().execute())
    for (const code of renewed) expect(stored).not.toContain(code.replace('-', ''))
  })
})

it('keeps exactly one set of ten recovery codes after five concurrent renewals, while a code is used', async () => {
  await using server = await startWithKim()
  const { codes } = await server.setUpTotp()
  const { challenge } = await server.enterPassword()
  const used = server.enterCode(challenge, codes[0] ?? '')
  const replies = await Promise.all(Array.from({ length: 5 }, () => server.post('/v1/identity/recovery-code')))
  expect([200, 401]).toContain((await used).statusCode)
  expect((await server.get('/v1/identity/factor')).json().data.recovery_codes).toBe(10)
  const statuses: number[] = []
  for (const reply of replies) {
    const next = await server.enterPassword()
    statuses.push((await server.enterCode(next.challenge, reply.json().data.recovery_codes[0])).statusCode)
  }
  expect(statuses.toSorted()).toEqual([200, 401, 401, 401, 401])
})

describe('a trusted browser', () => {
  it('needs only the password for as long as the settings allow, unlike other browsers', async () => {
    await using server = await startWithKim()
    const authenticatorApp = await server.setUpTotp()
    const { challenge } = await server.enterPassword()
    const cookie = cookiesOf(await server.enterCode(challenge, authenticatorApp.read(), { trust: true }))
    const trusted = await server.enterPassword(cookie)
    expect(trusted.reply.statusCode).toBe(200)
    expect((await server.enterPassword()).reply.json().code).toBe('session.second_factor')
    expect((await server.get('/v1/identity/factor')).json().data.trusted_browsers).toBe(1)
    server.advance(30 * 24 * 60 * minuteMs)
    expect((await server.enterPassword(cookie)).reply.json().code).toBe('session.second_factor')
  })

  it.each([
    ['the user forgets trusted browsers', '/v1/identity/trusted-browser'],
    ['the user signs out everywhere', '/v1/identity/session'],
  ])('needs the second factor again when %s', async (_, url) => {
    await using server = await startWithKim()
    const authenticatorApp = await server.setUpTotp()
    const { challenge } = await server.enterPassword()
    const cookie = cookiesOf(await server.enterCode(challenge, authenticatorApp.read(), { trust: true }))
    expect((await server.remove(url)).statusCode).toBe(204)
    expect((await server.enterPassword(cookie)).reply.json().code).toBe('session.second_factor')
  })

  it('needs the second factor again when the settings allow less time, or none', async () => {
    await using server = await startWithKim('NEPTUNE_ADMIN')
    const authenticatorApp = await server.setUpTotp()
    const trust = async () =>
      cookiesOf(await server.enterCode((await server.enterPassword()).challenge, authenticatorApp.read(), { trust: true }))
    const change = async (trust_days: number) => {
      const { version } = (await server.get('/v1/admin/settings')).json().data.security
      const payload = { version, values: { trust_days } }
      return server.app.inject({ method: 'PATCH', url: '/v1/admin/settings/security', headers: server.headers, payload })
    }
    const month = await trust()
    expect((await change(7)).statusCode).toBe(200)
    expect((await server.get('/v1/identity/factor')).json().data.trusted_browsers).toBe(0)
    expect((await server.enterPassword(month)).reply.json().code).toBe('session.second_factor')
    server.advance(25 * 24 * 60 * minuteMs)
    expect((await server.enterPassword(month)).reply.json().code).toBe('session.second_factor')
    const week = await trust()
    expect((await server.enterPassword(week)).reply.statusCode).toBe(200)
    server.headers.authorization = (await server.startSessionAs(email)).authorization
    expect((await change(0)).statusCode).toBe(200)
    expect((await server.enterPassword(week)).reply.json().code).toBe('session.second_factor')
  })

  it('is not trusted for another user', async () => {
    await using server = await startWithKim()
    const authenticatorApp = await server.setUpTotp()
    const { challenge } = await server.enterPassword()
    const cookie = cookiesOf(await server.enterCode(challenge, authenticatorApp.read(), { trust: true }))
    const lee = 'lee@acme.example'
    await server.addUser({ email: lee })
    await server.setUpTotp(await server.startSessionAs(lee))
    const reply = await server.signIn(lee, password, { headers: { cookie } })
    expect(reply.json().code).toBe('session.second_factor')
  })
})
