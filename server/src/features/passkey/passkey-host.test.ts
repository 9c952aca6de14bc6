import { describe, expect, it } from 'vitest'
import { logPasskeyWarnings } from './passkey.service.ts'
import { createPasskeyDevice, email, setPolicy, startWithKim } from './testing.ts'

const origin = 'https://files.acme.example'
const moved = 'https://share.acme.example'

/** Starts a server with a public address, and with an admin who has a passkey for it. */
async function startAtAddress(publicUrl = origin) {
  const server = await startWithKim({ PUBLIC_URL: publicUrl }, 'NEPTUNE_ADMIN')
  const key = createPasskeyDevice()
  return {
    ...server,
    key,
    addPasskey: (headers = server.kim, device = key) => server.register(headers, device, 'Phone', { origin }),
    readStatus: async () => (await server.app.inject({ url: '/v1/admin/passkey', headers: server.kim })).json().data,
    /** Returns what the server logs when it starts. */
    async readWarnings() {
      server.logLines.splice(0)
      await logPasskeyWarnings(server.deps)
      return server.logLines.map((line) => JSON.parse(line))
    },
    /** Restarts the server with another PUBLIC_URL. */
    moveTo: (url: string) => Object.assign(server.deps.config, { publicUrl: url }),
  }
}

describe('passkeys', () => {
  it('use the host and the address of PUBLIC_URL, whatever the headers of a request say', async () => {
    await using server = await startAtAddress()
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', origin: 'https://evil.example' }
    const options = await server.app.inject({ method: 'POST', url: '/v1/identity/passkey/options', headers, payload: {} })
    expect(options.json().data.rpId).toBe('files.acme.example')
    expect((await server.addPasskey()).json().data.passkey).toMatchObject({ host: 'files.acme.example', works: true })
    expect((await server.signInWith(server.key, { origin })).statusCode).toBe(200)
    expect((await server.signInWith(server.key, { origin: 'https://evil.example' })).json().code).toBe('passkey.wrong_address')
  })

  it('still work when only the port changes', async () => {
    await using server = await startAtAddress()
    await server.addPasskey()
    server.moveTo(`${origin}:8443`)
    expect((await server.list(server.kim)).passkeys[0]).toMatchObject({ works: true })
    expect((await server.signInWith(server.key, { origin: `${origin}:8443` })).statusCode).toBe(200)
    expect(await server.readWarnings()).toEqual([])
  })

  it('are reported to their owner, to admins and in the log if they belong to another host', async () => {
    await using server = await startAtAddress()
    await server.addUser({ email: 'ada@acme.example' })
    await server.addPasskey()
    await server.addPasskey(await server.startSessionAs('ada@acme.example'), createPasskeyDevice())
    await server.addPasskey(server.kim, createPasskeyDevice())
    const working = { passkeys: 3, users: 2 }
    const here = { available: true, reason: null, host: 'files.acme.example' }
    expect(await server.readStatus()).toEqual({ ...here, working, elsewhere: [] })
    server.moveTo(moved)
    expect(await server.list(server.kim)).toMatchObject({
      host: 'share.acme.example',
      passkeys: Array(2).fill({ host: 'files.acme.example', works: false }),
    })
    const elsewhere = [{ host: 'files.acme.example', ...working }]
    const status = { ...here, host: 'share.acme.example', working: { passkeys: 0, users: 0 }, elsewhere }
    expect(await server.readStatus()).toEqual(status)
    expect(await server.readWarnings()).toEqual([
      expect.objectContaining({ level: 40, elsewhere, msg: expect.stringContaining('PUBLIC_URL has changed') }),
    ])
    expect((await server.signInWith(server.key, { origin: moved })).json().code).toBe('session.wrong_passkey')
    server.moveTo(origin)
    expect((await server.signInWith(server.key, { origin })).statusCode).toBe(200)
  })

  it('are not offered as a second factor at another host', async () => {
    await using server = await startAtAddress()
    await server.addPasskey()
    server.moveTo(moved)
    const { second_factor } = (await server.signIn(email)).json()
    expect(second_factor.methods).toEqual(['recovery_code'])
    expect((await server.post('/options', { challenge: second_factor.challenge })).json().code).toBe('passkey.not_found')
    expect((await server.startRegistration(server.kim)).excludeCredentials).toEqual([])
  })

  it('do not count as a second factor at another host', async () => {
    await using server = await startAtAddress()
    await server.addPasskey()
    server.moveTo(moved)
    const here = createPasskeyDevice()
    const { passkey } = (await server.register(server.kim, here, 'New', { origin: moved })).json().data
    await setPolicy(server, server.kim, 'admins')
    const remove = () => server.app.inject({ method: 'DELETE', url: `/v1/identity/passkey/${passkey.id}`, headers: server.kim })
    expect((await remove()).json().code).toBe('factor.required')
    await setPolicy(server, server.kim, 'nobody')
    expect((await remove()).statusCode).toBe(204)
    expect((await server.list(server.kim)).passkeys).toEqual([])
    expect((await server.signIn(email)).statusCode).toBe(200)
  })

  it.each([
    ['http://files.acme.example', 'not_https', 'files.acme.example'],
    ['https://192.0.2.7', 'ip_address', '192.0.2.7'],
    ['https://[2001:db8::7]', 'ip_address', '[2001:db8::7]'],
    ['http://127.0.0.1:3000', 'ip_address', '127.0.0.1'],
  ])('are impossible at %s, and calls that create or use one say so', async (publicUrl, reason, host) => {
    await using server = await startAtAddress(publicUrl)
    expect(await server.list(server.kim)).toEqual({ available: false, reason, host, passkeys: [] })
    expect(await server.readStatus()).toMatchObject({ available: false, reason, host })
    const response = createPasskeyDevice().get({ challenge: 'AAAA', rpId: host })
    const replies = [
      await server.post('/registration', undefined, server.kim),
      await server.post('', { name: 'Phone', response: createPasskeyDevice().create({ challenge: 'AAAA' }) }, server.kim),
      await server.post('/options', {}),
      await server.sendResponse(response),
      await server.post('/confirm/options', undefined, server.kim),
      await server.post('/confirm', { response }, server.kim),
    ]
    expect(replies.map((reply) => reply.json().code)).toEqual(Array(6).fill('passkey.unavailable'))
    expect(await server.readWarnings()).toEqual([expect.objectContaining({ level: 30, reason, host })])
  })

  it.each(['http://localhost:3000', 'http://neptune.localhost', 'https://xn--mller-kva.example'])(
    'are possible at %s',
    async (url) => {
      await using server = await startAtAddress(url)
      expect(await server.list(server.kim)).toMatchObject({ available: true, reason: null, host: new URL(url).hostname })
    },
  )

  it('stop working when PUBLIC_URL loses https', async () => {
    await using server = await startAtAddress()
    await server.addPasskey()
    server.moveTo('http://files.acme.example')
    expect((await server.list(server.kim)).passkeys[0]).toMatchObject({ works: false, host: 'files.acme.example' })
    const counts = { working: { passkeys: 0, users: 0 }, elsewhere: [{ host: 'files.acme.example', passkeys: 1, users: 1 }] }
    expect(await server.readStatus()).toMatchObject(counts)
    expect((await server.signIn(email)).json().second_factor.methods).toEqual(['recovery_code'])
  })
})
