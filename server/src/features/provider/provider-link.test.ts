import { describe, expect, it } from 'vitest'
import { cookiesOf } from '../factor/testing.ts'
import { addTotp, createAcmeRules, startWithProvider } from './testing.ts'
import { kim } from './testing-provider.ts'

/** Starts a server where Kim is a user with a password. */
async function startWithKim(rules: Parameters<typeof startWithProvider>[0] = createAcmeRules) {
  const server = await startWithProvider(rules)
  const kimId = await server.addUser({ email: 'kim@acme.example', company_id: server.companyId })
  /** Opens a browser in which this person is signed in. */
  const openBrowserOf = async (email: string) => {
    const [auth = ''] = cookiesOf(await server.signIn(email)).split('; ')
    const browser = server.browser()
    browser.cookies.set('_auth', auth.slice('_auth='.length))
    return browser
  }
  const listAccounts = () => server.deps.db.selectFrom('provider_account').select(['subject', 'user_id']).execute()
  return { ...server, kimId, openBrowserOf, listAccounts }
}

describe('connecting an account at a provider', () => {
  it('needs the consent of the person who has the same verified email address', async () => {
    await using server = await startWithKim()
    const browser = server.browser()
    expect(await browser.signIn(server.id, 'to=/links')).toBe('/login?sso=link')
    expect(browser.cookies.has('_auth')).toBe(false)
    expect(await server.listAccounts()).toEqual([])
    expect(await browser.pending()).toEqual({
      kind: 'link',
      provider: { id: server.id, name: 'Acme login' },
      email: 'kim@acme.example',
      needs: 'consent',
      to: '/links',
    })
    expect((await browser.send('POST', '/v1/identity/provider/link')).json().code).toBe('session.missing')
    const reply = await browser.link()
    expect(reply.json()).toMatchObject({ type: 'Bearer', info: { id: server.kimId } })
    expect(await server.listAccounts()).toEqual([{ subject: 'kim', user_id: server.kimId }])
    expect(await server.listAudit('provider.linked')).toMatchObject([{ name: 'kim@acme.example', person_id: server.kimId }])
    await server.deliver()
    expect(server.sentEmails.find(({ text }) => text.includes('was connected to your account'))?.to).toBe('kim@acme.example')
    expect((await browser.link()).json().code).toBe('session.challenge_ended')
    expect(await server.browser().signIn(server.id)).toBe('/')
  })

  it('works once for two concurrent requests', async () => {
    await using server = await startWithKim()
    const browser = server.browser()
    await browser.signIn(server.id)
    const replies = await Promise.all([browser.link(), browser.link()])
    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 401])
  })

  it('fails in another browser, or after ten minutes', async () => {
    await using server = await startWithKim()
    const browser = server.browser()
    await browser.signIn(server.id)
    expect(await server.browser().pending()).toBeNull()
    expect((await server.browser().link()).json().code).toBe('session.challenge_ended')
    server.advance(10 * 60_000)
    expect((await browser.link()).json().code).toBe('session.challenge_ended')
    expect(await server.listAccounts()).toEqual([])
  })

  it('is not possible any more after a new password or a suspension', async () => {
    await using server = await startWithKim()
    const browser = server.browser()
    await browser.signIn(server.id)
    await server.deps.db.updateTable('user').set({ generation: 5 }).where('id', '=', server.kimId).execute()
    expect((await browser.link()).json().code).toBe('session.challenge_ended')
    const other = server.browser()
    await other.signIn(server.id)
    await server.call('POST', `/v1/admin/user/${server.kimId}/suspend`)
    expect((await other.link()).json().code).toBe('session.challenge_ended')
  })

  it('P59: never takes over an account by an email address in a domain that the provider does not manage', async () => {
    await using server = await startWithKim(() => ({}))
    const attacker = server.browser()
    expect(await attacker.signIn(server.id)).toBe('/login?sso=link')
    expect(await attacker.pending()).toMatchObject({ needs: 'sign_in' })
    expect((await attacker.link()).json().code).toBe('session.missing')
    const eve = await server.addUser({ email: 'eve@acme.example' })
    expect(eve).toBeDefined()
    expect((await attacker.link(await server.startSessionAs('eve@acme.example'))).json().code).toBe('provider.other_user')
    expect(await server.listAccounts()).toEqual([])
    const owner = await server.startSessionAs('kim@acme.example')
    server.advance(5 * 60_000)
    const reply = await attacker.link(owner)
    expect([reply.statusCode, reply.json()]).toEqual([200, {}])
    expect(await server.listAccounts()).toEqual([{ subject: 'kim', user_id: server.kimId }])
  })

  it('needs a recent proof of identity of the user who is signed in', async () => {
    await using server = await startWithKim(() => ({}))
    const owner = await server.startSessionAs('kim@acme.example')
    const confirmed_at = new Date(server.clock.now.getTime() - 16 * 60_000).toISOString()
    await server.deps.db.updateTable('session').set({ confirmed_at }).execute()
    const browser = server.browser()
    await browser.signIn(server.id)
    expect((await browser.link(owner)).json().code).toBe('session.unconfirmed')
  })

  it('needs the second factor of the user, even if the provider has checked one', async () => {
    await using server = await startWithKim((company) => ({ ...createAcmeRules(company), second_factor: 'provider' }))
    const code = await addTotp(server, await server.startSessionAs('kim@acme.example'))
    const browser = server.browser()
    await browser.signIn(server.id)
    const refused = (await browser.link()).json()
    expect(refused).toMatchObject({ code: 'session.second_factor', second_factor: { methods: ['totp', 'recovery_code'] } })
    expect(await server.listAccounts()).toEqual([])
    const { challenge } = refused.second_factor
    const reply = await server.call('POST', '/v1/identity/second-factor', { challenge, code: code() }, {})
    expect(reply.statusCode).toBe(200)
    expect(await server.listAccounts()).toEqual([{ subject: 'kim', user_id: server.kimId }])
  })

  it('reports errors on the page where it began', async () => {
    await using server = await startWithKim()
    server.provider.person = { ...kim, willCancel: true }
    const browser = await server.openBrowserOf('kim@acme.example')
    expect(await browser.signIn(server.id, 'link=true&to=/account?tab=2')).toBe('/account?tab=2&sso=denied')
    expect(await server.browser().signIn('absent', 'fresh=true&to=/settings')).toBe('/settings?sso=unknown')
  })

  it('can start on the Account page, for an account with another email address', async () => {
    await using server = await startWithKim()
    server.provider.person = { sub: 'private', email: 'kim@home.example', email_verified: false }
    const browser = await server.openBrowserOf('kim@acme.example')
    expect(await browser.signIn(server.id, 'link=true&to=/account')).toBe('/account?sso=link')
    expect(await browser.pending()).toMatchObject({ needs: 'own', email: 'kim@home.example', to: '/account' })
    expect((await browser.link()).json().code).toBe('session.missing')
    const owner = await server.startSessionAs('kim@acme.example')
    expect((await browser.link(owner)).json()).toEqual({})
    expect(await browser.signIn(server.id)).toBe('/')
    expect(await server.readUser(await browser.restore())).toMatchObject({ id: server.kimId })
    const other = await server.openBrowserOf('admin@acme.example')
    await other.signIn(server.id, 'link=true')
    expect((await other.link(server.admin)).json().code).toBe('provider.account_taken')
  })

  it('P59: connects only the user who started it on the Account page', async () => {
    await using server = await startWithKim()
    server.provider.person = { ...kim, sub: 'eve', email: 'eve@evil.example' }
    expect(await server.browser().signIn(server.id, 'link=true&to=/account')).toBe('/account?sso=expired')
    const forged = server.browser()
    forged.cookies.set('_auth', `npr_${'A'.repeat(22)}.0.${'A'.repeat(43)}`)
    expect(await forged.signIn(server.id, 'link=true&to=/account')).toBe('/account?sso=expired')
    // Eve's cookie, planted in the browser of the admin.
    await server.addUser({ email: 'eve@acme.example' })
    const eve = await server.openBrowserOf('eve@acme.example')
    expect(await eve.signIn(server.id, 'link=true&to=/account')).toBe('/account?sso=link')
    expect((await eve.link(server.admin)).json().code).toBe('provider.other_user')
    expect(await server.listAccounts()).toEqual([])
    expect((await eve.link(await server.startSessionAs('eve@acme.example'))).json()).toEqual({})
  })
})

describe('an invited user who signs in with a provider', () => {
  const invite = async (server: Awaited<ReturnType<typeof startWithProvider>>) => {
    const body = { name: 'Kim', email: 'kim@acme.example', company: server.companyId, role: 'NEPTUNE_USER', invite: true }
    return (await server.call('POST', '/v1/admin/user', body)).json().data.id as string
  }

  it('accepts the invitation by consent', async () => {
    await using server = await startWithProvider(createAcmeRules)
    const id = await invite(server)
    const browser = server.browser()
    expect(await browser.signIn(server.id)).toBe('/login?sso=link')
    expect(await browser.pending()).toMatchObject({ needs: 'invitation' })
    expect((await browser.link()).json()).toMatchObject({ info: { id } })
    expect(await server.listAudit('user.invitation_accepted')).toMatchObject([{ name: 'kim@acme.example' }])
    expect(await server.browser().signIn(server.id)).toBe('/')
  })

  it.each([
    ['has expired', createAcmeRules, 8 * 24 * 60 * 60_000],
    ['is for an address in a domain that the provider does not manage', () => ({}), 0],
  ])('can’t accept the invitation with the provider if it %s', async (_, rules, wait) => {
    await using server = await startWithProvider(rules)
    await invite(server)
    const { invitation_ends_at } = await server.deps.db
      .selectFrom('user')
      .select('invitation_ends_at')
      .where('email', '=', 'kim@acme.example')
      .executeTakeFirstOrThrow()
    const ends = new Date(Date.parse(invitation_ends_at ?? '') - wait).toISOString()
    await server.deps.db.updateTable('user').set({ invitation_ends_at: ends }).where('email', '=', 'kim@acme.example').execute()
    expect(await server.browser().signIn(server.id)).toBe('/login?sso=invitation')
  })
})

describe('connected accounts', () => {
  it('can be disconnected, but not the last way to sign in', async () => {
    await using server = await startWithKim()
    const browser = server.browser()
    await browser.signIn(server.id)
    const headers = { authorization: `Bearer ${(await browser.link()).json().token}` }
    const list = async (of = headers) => (await server.call('GET', '/v1/identity/provider-account', undefined, of)).json().data
    const [account] = await list()
    expect(account).toMatchObject({ email: 'kim@acme.example', issuer: server.provider.issuer, last_used_at: expect.any(String) })
    const path = `/v1/identity/provider-account/${account.id}`
    expect((await server.call('DELETE', path, undefined, server.admin)).json().code).toBe('provider.account_not_found')
    expect((await server.call('DELETE', path, undefined, headers)).statusCode).toBe(204)
    expect(await list()).toEqual([])
    expect(await server.listAudit('provider.unlinked')).toHaveLength(1)
    expect(await browser.signIn(server.id)).toBe('/login?sso=link')

    server.provider.person = { ...kim, sub: 'new', email: 'new@acme.example' }
    const other = server.browser()
    expect(await other.signIn(server.id)).toBe('/')
    const created = (await other.restore()) as typeof headers
    const [only] = await list(created)
    const reply = await server.call('DELETE', `/v1/identity/provider-account/${only.id}`, undefined, created)
    expect(reply.json().code).toBe('provider.last_way_in')
  })
})
