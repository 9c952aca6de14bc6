import { describe, expect, it } from 'vitest'
import { password } from '../../testing.ts'
import { createAcmeRules, startWithProvider } from '../provider/testing.ts'
import { kim } from '../provider/testing-provider.ts'

const newPassword = 'another long password'
const email = kim.email ?? ''

/** Starts a server where Kim has signed in with a provider, and has no password. */
async function startWithKim() {
  const server = await startWithProvider((company) => ({
    ...createAcmeRules(company),
    create: { company, role: 'NEPTUNE_ADMIN', access: 'own' },
  }))
  const browser = server.browser()
  await browser.signIn(server.id)
  const session = await browser.restore()
  return {
    ...server,
    session,
    turnPasswordsOff: async () => {
      const { version } = (await server.call('GET', '/v1/admin/settings')).json().data.security
      const values = { password_sign_in: false }
      await server.call('PATCH', '/v1/admin/settings/security', { version, values })
    },
    change: (payload: object, headers = session) => server.call('PATCH', '/v1/identity/details', payload, headers),
    changePassword: (payload: object, headers = session) => server.call('PATCH', '/v1/identity/password', payload, headers),
    readPassword: async (headers = session) =>
      (await server.call('GET', '/v1/identity/factor', undefined, headers)).json().data.password,
    expireProof: () =>
      server.deps.db
        .updateTable('session')
        .set({ confirmed_at: new Date(server.clock.now.getTime() - 16 * 60_000).toISOString() })
        .execute(),
  }
}

describe('someone without a password', () => {
  it('sees that they have none', async () => {
    await using server = await startWithKim()
    expect([await server.readPassword(), await server.readPassword(server.admin)]).toEqual(['none', 'set'])
    await server.turnPasswordsOff()
    expect([await server.readPassword(), await server.readPassword(server.admin)]).toEqual(['off', 'off'])
  })

  it('changes their name and email address only with a fresh proof', async () => {
    await using server = await startWithKim()
    const reply = await server.change({ name: 'Kim Duck', email: 'duck@acme.example' })
    expect(reply.json().data).toMatchObject({ name: 'Kim Duck', email: 'duck@acme.example' })
    await server.expireProof()
    for (const payload of [{ name: 'Eve' }, { email: 'eve@acme.example' }, { name: 'Eve', password }])
      expect((await server.change(payload)).json().code).toBe('session.unconfirmed')
    expect(await server.readUser(server.session)).toMatchObject({ name: 'Kim Duck', email: 'duck@acme.example' })
  })

  it('sets their first password only with a fresh proof, and needs it from then on', async () => {
    await using server = await startWithKim()
    await server.expireProof()
    for (const payload of [{ newPassword }, { oldPassword: password, newPassword }])
      expect((await server.changePassword(payload)).json().code).toBe('session.unconfirmed')
    const fresh = await server.startSessionAs(email)
    const reply = await server.changePassword({ newPassword }, fresh)
    expect(reply.statusCode).toBe(200)
    expect((await server.call('GET', '/v1/identity', undefined, server.session)).statusCode).toBe(401)
    const next = { authorization: `Bearer ${reply.json().token}` }
    expect(await server.readPassword(next)).toBe('set')
    expect((await server.signIn(email, newPassword)).statusCode).toBe(200)
    const refused = [
      await server.change({ name: 'Eve' }, next),
      await server.changePassword({ newPassword: 'yet another long one' }, next),
    ]
    expect(refused.map((reply) => reply.json().errors[0].field)).toEqual(['password', 'oldPassword'])
  })

  it('can’t set a weak password', async () => {
    await using server = await startWithKim()
    expect((await server.changePassword({ newPassword: 'passwordpassword' })).json().errors).toMatchObject([
      { field: 'newPassword' },
    ])
  })

  it('sets only one of two passwords that are sent at the same time', async () => {
    await using server = await startWithKim()
    const replies = await Promise.all(
      [newPassword, 'yet another long one'].map((newPassword) => server.changePassword({ newPassword })),
    )
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })

  it('can also set one with the link from an email', async () => {
    await using server = await startWithKim()
    server.pretendMailServer()
    await server.call('POST', '/v1/identity/forgot', { email }, {})
    await server.deliver()
    const message = server.sentEmails.find(({ to, text }) => to === email && text.includes('/reset/'))
    const token = /\/reset\/(\S+)/.exec(message?.text ?? '')?.[1]
    expect((await server.call('POST', '/v1/identity/reset', { token, password: newPassword }, {})).statusCode).toBe(204)
    expect((await server.signIn(email, newPassword)).statusCode).toBe(200)
  })
})

describe('while passwords are turned off', () => {
  it('people with a password need a fresh proof instead of it to change their name', async () => {
    await using server = await startWithKim()
    await server.turnPasswordsOff()
    expect((await server.change({ name: 'Ada' }, server.admin)).json().data.name).toBe('Ada')
    await server.expireProof()
    for (const payload of [{ name: 'Eve' }, { name: 'Eve', password }])
      expect((await server.change(payload, server.admin)).json().code).toBe('session.unconfirmed')
  })

  it('nobody can set or change a password', async () => {
    await using server = await startWithKim()
    await server.turnPasswordsOff()
    const replies = [
      await server.changePassword({ newPassword }),
      await server.changePassword({ oldPassword: password, newPassword }, server.admin),
      await server.changePassword({ oldPassword: 'wrong', newPassword }, server.admin),
    ]
    for (const reply of replies) expect([reply.statusCode, reply.json().code]).toEqual([403, 'session.password_off'])
  })
})
