import { describe, expect, it } from 'vitest'
import { bearer, password, startTestServer } from '../../testing.ts'

const email = 'kim@acme.example'
const another = 'another long password'

async function signedIn() {
  const server = await startTestServer()
  await server.addUser({ email })
  const laptop = (await server.signIn(email, password, { remember: true })).json().token
  const phone = (await server.signIn(email, password, { headers: { 'user-agent': 'Phone' } })).json().token
  const call = (method: 'GET' | 'PATCH' | 'DELETE', url: string, token: string, payload?: object) =>
    server.app.inject({ method, url, headers: bearer(token), ...(payload && { payload }) })
  const isLive = async (token: string) => (await call('GET', '/v1/identity', token)).statusCode === 200
  return { ...server, laptop, phone, call, isLive }
}

describe('changing one’s password', () => {
  it('ends every session, answers with a new one, and only the new password opens', async () => {
    await using server = await signedIn()
    const reply = await server.call('PATCH', '/v1/identity/password', server.laptop, {
      oldPassword: password,
      newPassword: another,
    })
    expect(reply.statusCode).toBe(200)
    expect(await server.isLive(server.laptop)).toBe(false)
    expect(await server.isLive(server.phone)).toBe(false)
    expect(await server.isLive(reply.json().token)).toBe(true)
    expect(String(reply.headers['set-cookie'])).toContain('Max-Age=2592000') // remembered, as before
    expect((await server.signIn(email)).statusCode).toBe(401)
    expect((await server.signIn(email, another)).statusCode).toBe(200)
  })

  it('asks for the old one, and slows whoever guesses it at an open screen', async () => {
    await using server = await signedIn()
    const guess = (i: number) =>
      server.call('PATCH', '/v1/identity/password', server.laptop, { oldPassword: `guess ${i}`, newPassword: another })
    for (let i = 0; i < 10; i++) expect((await guess(i)).json().code).toBe('session.wrong_credentials')
    expect((await guess(10)).statusCode).toBe(429)
    expect(await server.isLive(server.laptop)).toBe(true)
  })

  it('refuses one that is easy to guess', async () => {
    await using server = await signedIn()
    const reply = await server.call('PATCH', '/v1/identity/password', server.laptop, {
      oldPassword: password,
      newPassword: 'kim-doe-acme-2026',
    })
    expect(reply.json()).toMatchObject({
      code: 'request.invalid',
      errors: [{ field: 'newPassword', message: expect.stringContaining('easy to guess') }],
    })
  })

  it('refuses a short one', async () => {
    await using server = await signedIn()
    const reply = await server.call('PATCH', '/v1/identity/password', server.laptop, {
      oldPassword: password,
      newPassword: 'short',
    })
    expect(reply.json()).toMatchObject({ code: 'request.invalid', errors: [{ field: 'newPassword' }] })
  })
})

describe('one’s sessions', () => {
  it('are listed, newest first, with the one that asks marked', async () => {
    await using server = await signedIn()
    server.advance(1000)
    const tablet = (await server.signIn(email, password, { headers: { 'user-agent': 'Tablet' } })).json().token
    const { data } = (await server.call('GET', '/v1/identity/session', server.phone)).json()
    expect(data).toHaveLength(3)
    expect(data[0]).toMatchObject({ agent: 'Tablet', client: '127.0.0.1', current: false })
    expect(data.filter(({ current }: { current: boolean }) => current)).toMatchObject([{ agent: 'Phone' }])
    expect(await server.isLive(tablet)).toBe(true)
  })

  it('are ended one by one', async () => {
    await using server = await signedIn()
    const { data } = (await server.call('GET', '/v1/identity/session', server.laptop)).json()
    const phone = data.find(({ agent }: { agent: string }) => agent === 'Phone')
    expect((await server.call('DELETE', `/v1/identity/session/${phone.id}`, server.laptop)).statusCode).toBe(204)
    expect(await server.isLive(server.phone)).toBe(false)
    expect(await server.isLive(server.laptop)).toBe(true)
    expect((await server.call('DELETE', `/v1/identity/session/${phone.id}`, server.laptop)).statusCode).toBe(404)
  })

  it('are ended all at once', async () => {
    await using server = await signedIn()
    expect((await server.call('DELETE', '/v1/identity/session', server.laptop)).statusCode).toBe(204)
    expect(await server.isLive(server.laptop)).toBe(false)
    expect(await server.isLive(server.phone)).toBe(false)
    expect((await server.signIn(email)).statusCode).toBe(200)
  })
})
