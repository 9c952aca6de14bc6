import { describe, expect, it } from 'vitest'
import { createPasskeyDevice } from '../passkey/testing.ts'
import { createAcmeRules, publicUrl, startWithProvider } from '../provider/testing.ts'

/** Starts a server with an admin who has signed in with the provider, and has no password. */
async function startWithAda() {
  const server = await startWithProvider((company) => ({
    ...createAcmeRules(company),
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
      const response = createPasskeyDevice().create(data, { origin: publicUrl })
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

describe('removing a sign-in method', () => {
  const removeAndGetCode = async (server: Server, path: string) => {
    const reply = await server.call('DELETE', path, undefined, server.ada)
    return reply.statusCode === 204 ? 'removed' : reply.json().code
  }

  it('refuses to disconnect an account if the only passkey belongs to another host', async () => {
    await using server = await startWithAda()
    await server.addPasskey()
    await server.deps.db.updateTable('passkey').set({ rp_id: 'old.acme.example' }).execute()
    expect(await removeAndGetCode(server, await server.findAccount())).toBe('provider.last_way_in')
  })

  it('removes the account while there is a passkey, but not the last passkey', async () => {
    await using server = await startWithAda()
    const passkey = await server.addPasskey()
    expect(await removeAndGetCode(server, await server.findAccount())).toBe('removed')
    expect(await removeAndGetCode(server, passkey)).toBe('provider.last_way_in')
    await server.addPasskey()
    expect(await removeAndGetCode(server, passkey)).toBe('removed')
  })

  it('keeps one of the last two when both are removed at the same time', async () => {
    await using server = await startWithAda()
    const paths = [await server.addPasskey(), await server.findAccount()]
    const codes = await Promise.all(paths.map((path) => removeAndGetCode(server, path)))
    expect(codes.toSorted()).toEqual(['provider.last_way_in', 'removed'])
  })

  it('refuses to disconnect the last provider account of all admins while passwords are turned off', async () => {
    await using server = await startWithAda()
    await server.addPasskey()
    expect((await server.turnOff()).statusCode).toBe(200)
    expect(await removeAndGetCode(server, await server.findAccount())).toBe('provider.last_admin')
  })

  it('lets only one succeed when passwords are turned off while the only admin disconnects their account', async () => {
    await using server = await startWithAda()
    await server.addPasskey()
    const account = await server.findAccount()
    const [off, removed] = await Promise.all([server.turnOff(), removeAndGetCode(server, account)])
    const isOff = off.statusCode === 200
    expect([isOff, removed]).toEqual(isOff ? [true, 'provider.last_admin'] : [false, 'removed'])
  })
})

describe('an admin with an account at the provider, while passwords are turned off,', () => {
  /** Starts a server without passwords. Only Ada has an account at the provider. Boss is another admin, in a company of their own. */
  async function startWithBoss() {
    const server = await startWithAda()
    await server.turnOff()
    const bossId = await server.addUser({ email: 'boss@globex.example', role: 'NEPTUNE_ADMIN' })
    const boss = await server.startSessionAs('boss@globex.example')
    const { id, email } = await server.readUser(server.ada)
    const path = `/v1/admin/user/${id}`
    const changes = {
      suspended: () => server.call('POST', `${path}/suspend`, undefined, boss),
      demoted: () => server.call('PATCH', '/v1/admin/role', { email, role: 'NEPTUNE_USER' }, boss),
      removed: () => server.call('POST', `${path}/remove`, {}, boss),
      'archived with their company': () => server.call('POST', `/v1/admin/company/${server.companyId}/archive`, undefined, boss),
    }
    /** Connects someone to the provider, as if they had signed in there. */
    const connect = async (user_id: string) => {
      const account = await server.deps.db.selectFrom('provider_account').selectAll().executeTakeFirstOrThrow()
      const row = { ...account, subject: user_id, user_id }
      await server.deps.db.insertInto('provider_account').values(row).execute()
    }
    const keepsAda = async () => (await server.call('GET', '/v1/admin/settings', undefined, server.ada)).statusCode === 200
    return { ...server, adaId: id, boss, bossId, changes, connect, keepsAda }
  }

  const ways = ['suspended', 'demoted', 'removed', 'archived with their company'] as const

  it.each(ways)('can’t be %s if they are the only one', async (way) => {
    await using server = await startWithBoss()
    const reply = await server.changes[way]()
    expect(reply.json()).toMatchObject({ status: 409, code: 'provider.last_admin' })
    expect(await server.keepsAda()).toBe(true)
  })

  it.each(ways)('can be %s after another admin has signed in with the provider', async (way) => {
    await using server = await startWithBoss()
    await server.connect(server.bossId)
    expect((await server.changes[way]()).statusCode).toBeLessThan(300)
    expect(await server.keepsAda()).toBe(false)
  })

  it('keeps their links when they can’t be removed', async () => {
    await using server = await startWithBoss()
    const plans = { directory: 'Plans', client: server.companyId }
    const { id } = (await server.call('POST', '/v1/directory', plans, server.ada)).json().data
    const target = { company: server.companyId, directory: id }
    const reserved = (await server.call('POST', '/v1/link/initialise', target, server.ada)).json().data
    const expiry = new Date(server.clock.now.getTime() + 60 * 60_000).toISOString()
    const link = { linkType: 'LINK_DIRECTORY', directory: id, ...reserved, expiry }
    expect((await server.call('POST', '/v1/link', link, server.ada)).statusCode).toBe(200)
    const payload = { closeLinks: true }
    const reply = await server.call('POST', `/v1/admin/user/${server.adaId}/remove`, payload, server.boss)
    expect(reply.json().code).toBe('provider.last_admin')
    const { links } = (await server.call('GET', `/v1/admin/user/${server.adaId}/removal`, undefined, server.boss)).json().data
    expect(links).toBe(1)
  })

  it('is the only kind of admin that is protected: those without an account can be suspended', async () => {
    await using server = await startWithBoss()
    const reply = await server.call('POST', `/v1/admin/user/${server.adminId}/suspend`, undefined, server.boss)
    expect(reply.statusCode).toBe(200)
  })

  it('can be suspended if no admin can sign in with a provider any more', async () => {
    await using server = await startWithBoss()
    await server.deps.db.deleteFrom('provider_account').execute()
    expect((await server.changes.suspended()).statusCode).toBe(200)
  })

  it('can’t be suspended at the moment when passwords are turned off: only one of the two succeeds', async () => {
    await using server = await startWithBoss()
    const { version } = (await server.call('GET', '/v1/admin/settings')).json().data.security
    await server.call('PATCH', '/v1/admin/settings/security', { version, values: { password_sign_in: true } })
    const [off, suspended] = await Promise.all([server.turnOff(), server.changes.suspended()])
    const isOff = off.statusCode === 200
    expect([isOff, suspended.statusCode]).toEqual(isOff ? [true, 409] : [false, 200])
  })

  it('and another one can’t suspend each other at the same time', async () => {
    await using server = await startWithBoss()
    await server.connect(server.bossId)
    const [one, other] = await Promise.all([
      server.changes.suspended(),
      server.call('POST', `/v1/admin/user/${server.bossId}/suspend`, undefined, server.ada),
    ])
    expect([one, other].filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })

  it('can’t be removed while the only other one disconnects their account: only one of the two succeeds', async () => {
    await using server = await startWithBoss()
    await server.addPasskey()
    await server.connect(server.bossId)
    await server.addPasskey(server.boss)
    const disconnect = server.call('DELETE', await server.findAccount(server.boss), undefined, server.boss)
    const replies = await Promise.all([
      disconnect,
      server.call('POST', `/v1/admin/user/${server.adaId}/remove`, {}, server.admin),
    ])
    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([204, 409])
  })
})
