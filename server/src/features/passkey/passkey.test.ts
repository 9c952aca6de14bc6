import { maxPasskeys } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { toBearerHeader } from '../../testing.ts'
import { createPasskeyDevice, email, listAuditEntries, origin, setPolicy, startWithKim } from './testing.ts'

describe('adding a passkey', () => {
  it('asks the browser for a discoverable passkey with user verification', async () => {
    await using server = await startWithKim()
    const options = await server.startRegistration(server.kim)
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Neptune' },
      user: { id: Buffer.from(server.userId).toString('base64url'), name: email, displayName: 'Kim Doe' },
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
    })
    const { key } = await server.addPasskey(server.kim)
    const { excludeCredentials } = await server.startRegistration(server.kim)
    expect(excludeCredentials).toEqual([{ id: key.id, type: 'public-key', transports: ['hybrid', 'internal'] }])
  })

  it('shows the name of the organisation in the prompt of the browser', async () => {
    await using server = await startWithKim({}, 'NEPTUNE_ADMIN')
    const payload = { version: 0, values: { name: 'Harbour & Sons' } }
    await server.app.inject({ method: 'PATCH', url: '/v1/admin/settings/organisation', headers: server.kim, payload })
    expect((await server.startRegistration(server.kim)).rp.name).toBe('Harbour & Sons')
  })

  it('lists it, notifies the user by email, and records it', async () => {
    await using server = await startWithKim()
    const { passkey } = await server.addPasskey(server.kim, '  Phone ')
    const row = { id: passkey.id, name: 'Phone', created_at: server.deps.now().toISOString(), last_used_at: null }
    expect(passkey).toEqual({ ...row, host: 'localhost', works: true })
    expect(await server.list(server.kim)).toEqual({ available: true, reason: null, host: 'localhost', passkeys: [passkey] })
    await server.deliver()
    expect(server.sentEmails.map(({ text }) => text)).toEqual([expect.stringContaining('A passkey was added to your account')])
    expect(await listAuditEntries(server)).toContainEqual(
      expect.objectContaining({ action: 'factor.added', outcome: 'done', name: email, note: 'passkey “Phone”' }),
    )
  })

  it('returns recovery codes with the first second factor only', async () => {
    await using server = await startWithKim()
    expect((await server.addPasskey(server.kim)).recovery_codes).toHaveLength(10)
    expect((await server.addPasskey(server.kim, 'Laptop')).recovery_codes).toBeUndefined()
    expect((await server.list(server.kim)).passkeys.map(({ name }: { name: string }) => name).toSorted()).toEqual([
      'Laptop',
      'Phone',
    ])
  })

  it('counts as a second factor until the last one is removed', async () => {
    await using server = await startWithKim()
    const hasSecondFactor = async () =>
      (await server.app.inject({ url: '/v1/identity/factor', headers: server.kim })).json().data.has_second_factor
    expect(await hasSecondFactor()).toBe(false)
    const { passkey } = await server.addPasskey(server.kim)
    expect(await hasSecondFactor()).toBe(true)
    await server.app.inject({ method: 'DELETE', url: `/v1/identity/passkey/${passkey.id}`, headers: server.kim })
    expect(await hasSecondFactor()).toBe(false)
  })

  it('allows at most 20 passkeys, even with concurrent requests', async () => {
    await using server = await startWithKim()
    for (let i = 0; i < maxPasskeys - 1; i++) await server.addPasskey(server.kim, `Key ${i}`)
    const options = await Promise.all(Array.from({ length: 4 }, () => server.startRegistration(server.kim)))
    const replies = await Promise.all(
      options.map((each) => server.post('', { name: 'Last', response: createPasskeyDevice().create(each) }, server.kim)),
    )
    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409, 409])
    expect((await server.post('/registration', undefined, server.kim)).json().code).toBe('passkey.too_many')
    expect((await server.list(server.kim)).passkeys).toHaveLength(maxPasskeys)
  })

  it('rejects a passkey that anyone has already added', async () => {
    await using server = await startWithKim()
    await server.addUser({ email: 'ada@acme.example' })
    const ada = await server.startSessionAs('ada@acme.example')
    const { key } = await server.addPasskey(server.kim)
    for (const headers of [server.kim, ada]) expect((await server.register(headers, key)).json().code).toBe('passkey.exists')
  })

  it('is possible only shortly after the user has confirmed their identity', async () => {
    await using server = await startWithKim()
    const options = await server.startRegistration(server.kim)
    const { passkey } = await server.addPasskey(server.kim)
    server.advance(16 * 60_000)
    const replies = [
      await server.post('/registration', undefined, server.kim),
      await server.post('', { name: 'Late', response: createPasskeyDevice().create(options) }, server.kim),
      await server.app.inject({ method: 'DELETE', url: `/v1/identity/passkey/${passkey.id}`, headers: server.kim }),
    ]
    expect(replies.map((reply) => reply.json().code)).toEqual(Array(3).fill('session.unconfirmed'))
  })

  it('is open to people who must set up a second factor first', async () => {
    await using server = await startWithKim({}, 'NEPTUNE_ADMIN')
    await setPolicy(server, server.kim, 'admins')
    const isBlocked = async () => (await server.app.inject({ url: '/v1/admin/user', headers: server.kim })).statusCode === 403
    expect(await isBlocked()).toBe(true)
    await server.addPasskey(server.kim)
    expect(await isBlocked()).toBe(false)
  })
})

describe('P57: a new passkey', () => {
  const deviations = {
    'of another relying party': { rpId: 'evil.example' },
    'without user verification': { isVerified: false },
    'without a user': { isPresent: false },
    'for another challenge': { challenge: 'AAAA' },
    'from a frame of another site': { crossOrigin: true },
    'made for a sign-in': { type: 'webauthn.get' },
    'with another id than it signs': { id: 'AAAAAAAAAAAAAAAAAAAAAA' },
    'with a certificate, whose revocation list would have to be downloaded': {
      format: 'packed',
      statement: new Map<string, unknown>([
        ['alg', -7],
        ['sig', new Uint8Array(64)],
        ['x5c', [new Uint8Array(100)]],
      ]),
    },
    'with an unknown attestation': { format: 'tpm' },
  }

  it.each(Object.entries(deviations))('%s is refused', async (_, deviation) => {
    await using server = await startWithKim()
    const reply = await server.register(server.kim, createPasskeyDevice(), 'Phone', deviation)
    expect(reply.json().code).toBe('passkey.invalid')
    expect((await server.list(server.kim)).passkeys).toEqual([])
    expect(await listAuditEntries(server)).toContainEqual(expect.objectContaining({ action: 'factor.added', outcome: 'refused' }))
  })

  it('from another address is refused, and the log names both addresses', async () => {
    await using server = await startWithKim()
    const deviation = { origin: 'http://localhost:8443' }
    const reply = await server.register(server.kim, createPasskeyDevice(), 'Phone', deviation)
    expect(reply.json().code).toBe('passkey.wrong_address')
    expect(server.logLines.join('')).toContain(`"origin":"http://localhost:8443","publicUrl":"${origin}"`)
  })

  it('is refused for another user, in another session, and after ten minutes', async () => {
    await using server = await startWithKim()
    await server.addUser({ email: 'ada@acme.example' })
    const options = await server.startRegistration(server.kim)
    const send = (headers: Record<string, string>) =>
      server.post('', { name: 'Phone', response: createPasskeyDevice().create(options) }, headers)
    const others = [await server.startSessionAs('ada@acme.example'), await server.startSessionAs(email)]
    for (const headers of others) expect((await send(headers)).json().code).toBe('passkey.invalid')
    server.advance(10 * 60_000 + 1)
    expect((await send(server.kim)).json().code).toBe('passkey.invalid')
  })

  it('is added once, even with 20 concurrent requests', async () => {
    await using server = await startWithKim()
    const payload = { name: 'Phone', response: createPasskeyDevice().create(await server.startRegistration(server.kim)) }
    const replies = await Promise.all(Array.from({ length: 20 }, () => server.post('', payload, server.kim)))
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect((await server.list(server.kim)).passkeys).toHaveLength(1)
  })
})

describe('renaming and removing a passkey', () => {
  const change = (
    server: Awaited<ReturnType<typeof startWithKim>>,
    method: 'PATCH' | 'DELETE',
    id: string,
    headers = server.kim,
  ) =>
    server.app.inject({
      method,
      url: `/v1/identity/passkey/${id}`,
      headers,
      ...(method === 'PATCH' && { payload: { name: ' Old phone ' } }),
    })

  it('renames it, and records the old and the new name', async () => {
    await using server = await startWithKim()
    const { passkey } = await server.addPasskey(server.kim)
    expect((await change(server, 'PATCH', passkey.id)).json().data).toEqual({ ...passkey, name: 'Old phone' })
    expect(await listAuditEntries(server)).toContainEqual(
      expect.objectContaining({ action: 'factor.renamed', note: 'Phone → Old phone', name: email }),
    )
  })

  it('removes it: the user needs no second factor any more, and the passkey no longer signs in', async () => {
    await using server = await startWithKim()
    const { key, passkey } = await server.addPasskey(server.kim)
    expect((await server.signIn(email)).json().code).toBe('session.second_factor')
    expect((await change(server, 'DELETE', passkey.id)).statusCode).toBe(204)
    expect((await server.signIn(email)).statusCode).toBe(200)
    expect((await server.signInWith(key)).json().code).toBe('session.wrong_passkey')
    await server.deliver()
    expect(server.sentEmails.map(({ text }) => text).join('')).toContain('A passkey was removed from your account')
  })

  it('keeps the last second factor while the organisation requires one', async () => {
    await using server = await startWithKim({}, 'NEPTUNE_ADMIN')
    const first = await server.addPasskey(server.kim)
    const second = await server.addPasskey(server.kim, 'Laptop')
    await setPolicy(server, server.kim, 'everyone')
    expect((await change(server, 'DELETE', first.passkey.id)).statusCode).toBe(204)
    expect((await change(server, 'DELETE', second.passkey.id)).json().code).toBe('factor.required')
    expect((await server.signInWith(second.key)).statusCode).toBe(200)
  })

  it('returns 404 for the passkey of someone else', async () => {
    await using server = await startWithKim()
    await server.addUser({ email: 'ada@acme.example', role: 'NEPTUNE_ADMIN' })
    const ada = await server.startSessionAs('ada@acme.example')
    const { passkey } = await server.addPasskey(server.kim)
    for (const method of ['PATCH', 'DELETE'] as const)
      expect((await change(server, method, passkey.id, ada)).json().code).toBe('passkey.not_found')
    expect((await server.list(server.kim)).passkeys).toEqual([passkey])
  })

  it('removes it with all second factors an hour after an admin resets them', async () => {
    await using server = await startWithKim()
    await server.addUser({ email: 'ada@acme.example', role: 'NEPTUNE_ADMIN' })
    const ada = await server.startSessionAs('ada@acme.example')
    const { key } = await server.addPasskey(server.kim)
    await server.app.inject({ method: 'POST', url: `/v1/admin/user/${server.userId}/factor-reset`, headers: ada })
    expect((await server.signInWith(key)).statusCode).toBe(200)
    server.advance(61 * 60_000)
    expect((await server.signInWith(key)).json().code).toBe('session.wrong_passkey')
    const { token } = (await server.signIn(email)).json()
    expect((await server.list(toBearerHeader(token))).passkeys).toEqual([])
  })
})
