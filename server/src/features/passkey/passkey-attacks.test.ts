import { describe, expect, it } from 'vitest'
import { password, withoutRequestId } from '../../testing.ts'
import { createPasskeyDevice, type Deviation, email, listAuditEntries, type PasskeyDevice, startWithKim } from './testing.ts'

const wrong = 'session.wrong_passkey'
type Server = Awaited<ReturnType<typeof startWithKim>>

async function startWithPasskey(key: PasskeyDevice = createPasskeyDevice()) {
  const server = await startWithKim()
  const { passkey } = await server.addPasskey(server.kim, 'Phone', key)
  return { ...server, key, passkey }
}

/** Returns the notes of the refused sign-ins. */
const listRefusals = async (server: Server) =>
  (await listAuditEntries(server)).filter(({ outcome }) => outcome === 'refused').map(({ action, note }) => `${action} ${note}`)

const countSessions = async (server: Server) => (await server.deps.db.selectFrom('session').select('id').execute()).length

describe('P57: a sign-in', () => {
  const deviations: Record<string, Deviation> = {
    'for another relying party': { rpId: 'evil.example' },
    'without user verification': { isVerified: false },
    'without a user': { isPresent: false },
    'with a challenge that the server did not create': { challenge: Buffer.from('a.b.c').toString('base64url') },
    'from a frame of another site': { crossOrigin: true, topOrigin: 'https://evil.example' },
    'with a registration': { type: 'webauthn.create' },
    'with an invalid signature': { signature: Buffer.from('tampered').toString('base64url') },
    'with the user handle of someone else': { userHandle: Buffer.from('someone').toString('base64url') },
    'without a user handle': { userHandle: null },
    'with an empty user handle': { userHandle: '' },
    'with an unknown passkey': { id: 'AAAAAAAAAAAAAAAAAAAAAA' },
  }

  it.each(Object.entries(deviations))('%s is refused, counted and recorded', async (_, deviation) => {
    await using server = await startWithPasskey()
    const before = await countSessions(server)
    const reply = await server.signInWith(server.key, deviation)
    expect(reply.json().code).toBe(wrong)
    expect(reply.headers['set-cookie']).toBeUndefined()
    expect(await countSessions(server)).toBe(before)
    expect(await listRefusals(server)).toEqual([expect.stringMatching(/^session\.refused passkey: /)])
    for (let i = 0; i < 9; i++) await server.signInWith(server.key, deviation)
    expect((await server.signInWith(server.key, deviation)).json().code).toBe('session.too_many_tries')
  })

  it.each(['https://localhost:3000', 'http://localhost:3001', 'http://evil.localhost:3000', 'null'])(
    'from the address %s is refused, counted and recorded',
    async (origin) => {
      await using server = await startWithPasskey()
      expect((await server.signInWith(server.key, { origin })).json().code).toBe('passkey.wrong_address')
      expect(await listRefusals(server)).toEqual(['session.refused passkey: wrong address'])
      for (let i = 0; i < 9; i++) await server.signInWith(server.key, { origin })
      expect((await server.signInWith(server.key, { origin })).json().code).toBe('session.too_many_tries')
    },
  )

  it('whose signed data was changed is refused', async () => {
    await using server = await startWithPasskey()
    const response = server.key.get(await server.getOptions(), { isVerified: false })
    const authenticatorData = Buffer.from(response.response.authenticatorData, 'base64url')
    authenticatorData[32] = (authenticatorData[32] ?? 0) | 0x04 // claims that the user was verified
    const forged = { ...response.response, authenticatorData: authenticatorData.toString('base64url') }
    expect((await server.sendResponse({ ...response, response: forged })).json().code).toBe(wrong)
  })

  it('with the id of the passkey, but another key, is refused', async () => {
    await using server = await startWithPasskey()
    const userHandle = Buffer.from(server.userId).toString('base64url')
    const deviation = { id: server.key.id, userHandle }
    expect((await server.signInWith(createPasskeyDevice(), deviation)).json().code).toBe(wrong)
  })

  it('works once: a replayed response is refused, even after its challenge has ended', async () => {
    await using server = await startWithPasskey()
    const response = server.key.get(await server.getOptions())
    expect((await server.sendResponse(response)).statusCode).toBe(200)
    expect((await server.sendResponse(response)).json().code).toBe(wrong)
    expect(await listRefusals(server)).toEqual(['session.refused passkey: used before'])
    server.advance(10 * 60_000 + 1)
    expect((await server.sendResponse(response)).json().code).toBe('session.challenge_ended')
  })

  it('succeeds once for 20 concurrent uses of one response', async () => {
    await using server = await startWithPasskey(createPasskeyDevice({ isCounting: true }))
    const before = await countSessions(server)
    const response = server.key.get(await server.getOptions())
    const replies = await Promise.all(Array.from({ length: 20 }, () => server.sendResponse(response)))
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(await countSessions(server)).toBe(before + 1)
    // A replay is not reported as a copied passkey.
    expect((await listAuditEntries(server)).map(({ action }) => action)).not.toContain('factor.copied')
  })

  it('is refused more than ten minutes after its challenge was created', async () => {
    await using server = await startWithPasskey()
    const options = await server.getOptions()
    server.advance(10 * 60_000)
    expect((await server.sendResponse(server.key.get(options))).statusCode).toBe(200)
    const late = await server.getOptions()
    server.advance(10 * 60_000 + 1)
    expect((await server.sendResponse(server.key.get(late))).json().code).toBe('session.challenge_ended')
    expect(await listRefusals(server)).toEqual(['session.refused passkey: too late'])
  })

  it('is refused in the same way for suspended and removed users, archived companies and unknown passkeys', async () => {
    const reasons: Record<string, (server: Server) => Promise<unknown>> = {
      unknown: async () => undefined,
      suspended: ({ deps, userId }) =>
        deps.db.updateTable('user').set({ suspended_at: '2026-11-30T00:00:00.000Z' }).where('id', '=', userId).execute(),
      archived: ({ deps }) => deps.db.updateTable('company').set({ archived_at: '2026-11-30T00:00:00.000Z' }).execute(),
      removed: ({ deps, userId }) =>
        deps.db.updateTable('user').set({ removed_at: '2026-11-30T00:00:00.000Z' }).where('id', '=', userId).execute(),
    }
    const bodies: string[] = []
    const refusals: string[][] = []
    for (const [reason, prepare] of Object.entries(reasons)) {
      await using server = await startWithPasskey()
      await prepare(server)
      const reply = await server.signInWith(reason === 'unknown' ? createPasskeyDevice() : server.key)
      expect(reply.statusCode).toBe(401)
      bodies.push(withoutRequestId(reply))
      refusals.push(await listRefusals(server))
    }
    expect(new Set(bodies).size).toBe(1)
    expect(refusals).toEqual([
      ['session.refused passkey: unknown'],
      ['session.unavailable passkey: suspended'],
      ['session.unavailable passkey: company_archived'],
      ['session.refused passkey: unknown'],
    ])
  })
})

describe('P57: a copied passkey', () => {
  it.each([
    ['the same counter', 0],
    ['a lower counter', 2],
  ])('with %s is refused, recorded, and reported by email', async (_, uses) => {
    await using server = await startWithPasskey(createPasskeyDevice({ isCounting: true }))
    const copy = server.key.copy()
    for (let i = 0; i <= uses; i++) expect((await server.signInWith(server.key)).statusCode).toBe(200)
    expect((await server.signInWith(copy)).json().code).toBe(wrong)
    expect(await listRefusals(server)).toEqual(['factor.copied passkey: “Phone”'])
    await server.deliver()
    const mail = server.sentEmails.find(({ subject }) => subject.startsWith('A passkey'))
    expect(mail).toMatchObject({ subject: 'A passkey for your account at Neptune was refused' })
    expect(mail?.text).toContain('Someone used your passkey “Phone”')
    // The original passkey still works.
    expect((await server.signInWith(server.key)).statusCode).toBe(200)
  })

  it('is refused if its counter is back at zero', async () => {
    await using server = await startWithPasskey(createPasskeyDevice({ isCounting: true }))
    expect((await server.signInWith(server.key)).statusCode).toBe(200)
    expect((await server.signInWith(server.key, { counter: 0 })).json().code).toBe(wrong)
  })

  it('is not reported as copied if the signature is invalid', async () => {
    await using server = await startWithPasskey(createPasskeyDevice({ isCounting: true }))
    expect((await server.signInWith(server.key)).statusCode).toBe(200)
    const signature = Buffer.from('tampered').toString('base64url')
    expect((await server.signInWith(server.key, { counter: 1, signature })).json().code).toBe(wrong)
    expect(await listRefusals(server)).toEqual(['session.refused passkey: invalid'])
  })
})

describe('P57: the second step of a sign-in', () => {
  const startSecondStep = async (server: Server): Promise<string> =>
    (await server.signIn(email, password)).json().second_factor.challenge

  it('refuses the passkey of another person', async () => {
    await using server = await startWithPasskey()
    await server.addUser({ email: 'ada@acme.example' })
    const { key } = await server.addPasskey(await server.startSessionAs('ada@acme.example'))
    const challenge = await startSecondStep(server)
    expect((await server.signInWith(key, {}, { challenge })).json().code).toBe(wrong)
    expect(await listAuditEntries(server)).toContainEqual(
      expect.objectContaining({ action: 'session.refused', name: email, note: 'passkey: of someone else' }),
    )
    // The sign-in is still open for its owner.
    expect((await server.signInWith(server.key, {}, { challenge })).json().info.email).toBe(email)
  })

  it('refuses a response that was signed for another sign-in', async () => {
    await using server = await startWithPasskey()
    const [first, second] = [await startSecondStep(server), await startSecondStep(server)]
    const replies = [
      await server.sendResponse(server.key.get(await server.getOptions(first)), { challenge: second }),
      await server.sendResponse(server.key.get(await server.getOptions(first))),
      await server.sendResponse(server.key.get(await server.getOptions()), { challenge: first }),
    ]
    expect(replies.map((reply) => reply.json().code)).toEqual(Array(3).fill(wrong))
  })

  it('succeeds once for 20 concurrent uses of one response', async () => {
    await using server = await startWithPasskey()
    const challenge = await startSecondStep(server)
    const before = await countSessions(server)
    const response = server.key.get(await server.getOptions(challenge))
    const replies = await Promise.all(Array.from({ length: 20 }, () => server.sendResponse(response, { challenge })))
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(await countSessions(server)).toBe(before + 1)
  })

  it('counts wrong passkeys together with wrong passwords', async () => {
    await using server = await startWithPasskey()
    const challenge = await startSecondStep(server)
    for (let i = 0; i < 10; i++)
      expect((await server.signInWith(server.key, { isVerified: false }, { challenge })).json().code).toBe(wrong)
    expect((await server.signInWith(server.key, {}, { challenge })).json().code).toBe('session.too_many_tries')
    expect((await server.signIn(email, 'wrong password')).json().code).toBe('session.too_many_tries')
  })
})
