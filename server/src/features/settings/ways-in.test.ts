import { describe, expect, it } from 'vitest'
import { createAuthenticator } from '../passkey/testing.ts'
import { letIn, publicUrl, startWithProvider } from '../provider/testing.ts'

/** Starts a server with an admin who has signed in with the provider, and has no password. */
async function startWithAda() {
  const server = await startWithProvider((company) => ({
    ...letIn(company),
    create: { company, role: 'NEPTUNE_ADMIN', access: 'own' },
  }))
  const browser = server.browser()
  await browser.signIn(server.id)
  const ada = await browser.restore()
  return {
    ...server,
    ada,
    async turnOff() {
      const { version } = (await server.call('GET', '/v1/admin/settings')).json().data.security
      return server.call('PATCH', '/v1/admin/settings/security', { version, values: { password_sign_in: false } })
    },
    async addPasskey(headers = ada) {
      const { data } = (await server.call('POST', '/v1/identity/passkey/registration', undefined, headers)).json()
      const response = createAuthenticator().create(data, { origin: publicUrl })
      const reply = await server.call('POST', '/v1/identity/passkey', { name: 'Key', response }, headers)
      return `/v1/identity/passkey/${reply.json().data.passkey.id}`
    },
    async findAccount(headers = ada) {
      const [account] = (await server.call('GET', '/v1/identity/provider-account', undefined, headers)).json().data
      return `/v1/identity/provider-account/${account.id}`
    },
  }
}

type Server = Awaited<ReturnType<typeof startWithAda>>

describe('the last way in', () => {
  const codeOf = async (server: Server, path: string) => {
    const reply = await server.call('DELETE', path, undefined, server.ada)
    return reply.statusCode === 204 ? 'removed' : reply.json().code
  }

  it('is not a passkey of another host', async () => {
    await using server = await startWithAda()
    await server.addPasskey()
    await server.deps.db.updateTable('passkey').set({ rp_id: 'old.acme.example' }).execute()
    expect(await codeOf(server, await server.findAccount())).toBe('provider.last_way_in')
  })

  it('is kept when accounts and passkeys are removed one after the other', async () => {
    await using server = await startWithAda()
    const passkey = await server.addPasskey()
    expect(await codeOf(server, await server.findAccount())).toBe('removed')
    expect(await codeOf(server, passkey)).toBe('provider.last_way_in')
    await server.addPasskey()
    expect(await codeOf(server, passkey)).toBe('removed')
  })

  it('is kept when an account and a passkey are removed at the same time', async () => {
    await using server = await startWithAda()
    const paths = [await server.addPasskey(), await server.findAccount()]
    const codes = await Promise.all(paths.map((path) => codeOf(server, path)))
    expect(codes.toSorted()).toEqual(['provider.last_way_in', 'removed'])
  })

  it('of all admins is an account at a provider while passwords are turned off', async () => {
    await using server = await startWithAda()
    await server.addPasskey()
    expect((await server.turnOff()).statusCode).toBe(200)
    expect(await codeOf(server, await server.findAccount())).toBe('provider.last_way_in')
  })

  it('is kept when passwords are turned off while the only admin disconnects their account', async () => {
    await using server = await startWithAda()
    await server.addPasskey()
    const account = await server.findAccount()
    const [off, removed] = await Promise.all([server.turnOff(), codeOf(server, account)])
    const isOff = off.statusCode === 200
    expect([isOff, removed]).toEqual(isOff ? [true, 'provider.last_way_in'] : [false, 'removed'])
  })
})
