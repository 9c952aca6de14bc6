import { describe, expect, it } from 'vitest'
import { password, startTestServer, toBearerHeader } from '../../testing.ts'

const email = 'kim@acme.example'
const newPassword = 'another long password'

async function startSignedIn() {
  const server = await startTestServer()
  await server.addUser({ email })
  const laptop = (await server.signIn(email, password, { remember: true })).json().token
  const phone = (await server.signIn(email, password, { headers: { 'user-agent': 'Phone' } })).json().token
  const call = (method: 'GET' | 'PATCH' | 'DELETE', url: string, token: string, payload?: object) =>
    server.app.inject({ method, url, headers: toBearerHeader(token), ...(payload && { payload }) })
  const isLive = async (token: string) => (await call('GET', '/v1/identity', token)).statusCode === 200
  return { ...server, laptop, phone, call, isLive }
}

describe('changing a password', () => {
  it('ends all sessions, returns a new one, and makes only the new password valid', async () => {
    await using server = await startSignedIn()
    const reply = await server.call('PATCH', '/v1/identity/password', server.laptop, {
      oldPassword: password,
      newPassword,
    })
    expect(reply.statusCode).toBe(200)
    expect(await server.isLive(server.laptop)).toBe(false)
    expect(await server.isLive(server.phone)).toBe(false)
    expect(await server.isLive(reply.json().token)).toBe(true)
    expect(String(reply.headers['set-cookie'])).toContain('Max-Age=2592000') // remembered, as before
    expect((await server.signIn(email)).statusCode).toBe(401)
    expect((await server.signIn(email, newPassword)).statusCode).toBe(200)
  })

  it('requires the old password, and limits the rate of attempts', async () => {
    await using server = await startSignedIn()
    const guess = (i: number) =>
      server.call('PATCH', '/v1/identity/password', server.laptop, { oldPassword: `guess ${i}`, newPassword })
    for (let i = 0; i < 10; i++) expect((await guess(i)).json().code).toBe('session.wrong_credentials')
    expect((await guess(10)).statusCode).toBe(429)
    expect(await server.isLive(server.laptop)).toBe(true)
  })

  it('rejects a weak password', async () => {
    await using server = await startSignedIn()
    const reply = await server.call('PATCH', '/v1/identity/password', server.laptop, {
      oldPassword: password,
      newPassword: 'kim-doe-acme-2026',
    })
    expect(reply.json()).toMatchObject({
      code: 'request.invalid',
      errors: [{ field: 'newPassword', message: expect.stringContaining('easy to guess') }],
    })
  })

  it('rejects a short password', async () => {
    await using server = await startSignedIn()
    const reply = await server.call('PATCH', '/v1/identity/password', server.laptop, {
      oldPassword: password,
      newPassword: 'short',
    })
    expect(reply.json()).toMatchObject({ code: 'request.invalid', errors: [{ field: 'newPassword' }] })
  })
})

describe('a user’s own sessions', () => {
  it('are listed newest first, with the current one marked', async () => {
    await using server = await startSignedIn()
    server.advance(1000)
    const tablet = (await server.signIn(email, password, { headers: { 'user-agent': 'Tablet' } })).json().token
    const { data } = (await server.call('GET', '/v1/identity/session', server.phone)).json()
    expect(data).toHaveLength(3)
    expect(data[0]).toMatchObject({ agent: 'Tablet', client: '127.0.0.1', current: false })
    expect(data.filter(({ current }: { current: boolean }) => current)).toMatchObject([{ agent: 'Phone' }])
    expect(await server.isLive(tablet)).toBe(true)
  })

  it('can be ended one by one', async () => {
    await using server = await startSignedIn()
    const { data } = (await server.call('GET', '/v1/identity/session', server.laptop)).json()
    const phone = data.find(({ agent }: { agent: string }) => agent === 'Phone')
    expect((await server.call('DELETE', `/v1/identity/session/${phone.id}`, server.laptop)).statusCode).toBe(204)
    expect(await server.isLive(server.phone)).toBe(false)
    expect(await server.isLive(server.laptop)).toBe(true)
    expect((await server.call('DELETE', `/v1/identity/session/${phone.id}`, server.laptop)).statusCode).toBe(404)
  })

  it('can be ended all at once', async () => {
    await using server = await startSignedIn()
    expect((await server.call('DELETE', '/v1/identity/session', server.laptop)).statusCode).toBe(204)
    expect(await server.isLive(server.laptop)).toBe(false)
    expect(await server.isLive(server.phone)).toBe(false)
    expect((await server.signIn(email)).statusCode).toBe(200)
  })
})
