import { describe, expect, it } from 'vitest'
import { startTestServer, toBearerHeader } from '../../testing.ts'
import { createOperatorLink } from './operator-link.service.ts'

const email = 'kim@acme.example'

async function startWithKim() {
  const server = await startTestServer({ PUBLIC_URL: 'https://files.acme.example' })
  const userId = await server.addUser({ email, role: 'NEPTUNE_ADMIN' })
  const create = async (removesFactors = false) => {
    const { url } = await createOperatorLink(server.deps, ' Kim@acme.example', { removesFactors })
    return /^https:\/\/files\.acme\.example\/enter\/(npc_[\w-]{43})$/.exec(url)?.[1] ?? ''
  }
  const enter = (token: string) => server.app.inject({ method: 'POST', url: '/v1/identity/operator-link', payload: { token } })
  const listAudit = async (action: string) =>
    (await server.deps.db.selectFrom('audit').selectAll().execute()).filter((entry) => entry.action === action)
  return { ...server, userId, create, enter, listAudit }
}

describe('an operator’s sign-in link', () => {
  it('signs someone in once', async () => {
    await using server = await startWithKim()
    const token = await server.create()
    const reply = await server.enter(token)
    expect(reply.json()).toMatchObject({ info: { id: server.userId } })
    const headers = toBearerHeader(reply.json().token)
    const { data } = (await server.app.inject({ url: '/v1/identity/session', headers })).json()
    expect(data).toMatchObject([{ method: 'operator', second_factor: null }])
    expect((await server.enter(token)).json().code).toBe('operator_link.not_found')
    expect(await server.listAudit('session.link_created')).toMatchObject([{ who: 'operator', name: email }])
  })

  it('works while passwords are turned off', async () => {
    await using server = await startWithKim()
    const value = JSON.stringify({ password_sign_in: false })
    await server.deps.db.insertInto('setting').values({ section: 'security', value, version: 1, changed_at: '' }).execute()
    expect((await server.signIn(email)).json().code).toBe('session.password_off')
    expect((await server.enter(await server.create())).statusCode).toBe(200)
  })

  it('ends after ten minutes, with a new generation of the user, or with a suspension', async () => {
    await using server = await startWithKim()
    const late = await server.create()
    server.advance(10 * 60_000)
    expect((await server.enter(late)).json().code).toBe('operator_link.not_found')
    const ended = await server.create()
    await server.deps.db.updateTable('user').set({ generation: 1 }).execute()
    expect((await server.enter(ended)).json().code).toBe('operator_link.not_found')
    const suspended = await server.create()
    await server.deps.db.updateTable('user').set({ suspended_at: 'x' }).execute()
    expect((await server.enter(suspended)).json().code).toBe('operator_link.not_found')
    await expect(server.create()).rejects.toMatchObject({ code: 'user.suspended' })
  })

  it('needs the second factor, unless the operator removes it', async () => {
    await using server = await startWithKim()
    const second_factor_at = server.clock.now.toISOString()
    await server.deps.db.updateTable('user').set({ second_factor_at }).execute()
    expect((await server.enter(await server.create())).json()).toMatchObject({ code: 'session.second_factor' })
    expect((await server.enter(await server.create(true))).statusCode).toBe(200)
    expect(await server.listAudit('factor.reset')).toMatchObject([{ who: 'operator', name: email }])
    await server.deliver()
    expect(server.sentEmails.at(-1)).toMatchObject({ to: email })
  })

  it('still works after someone else who knows the password has begun many sign-ins', async () => {
    await using server = await startWithKim()
    await server.deps.db.updateTable('user').set({ second_factor_at: server.clock.now.toISOString() }).execute()
    const token = await server.create()
    for (let i = 0; i < 11; i++) {
      server.advance(1_000)
      expect((await server.signIn(email)).json().code).toBe('session.second_factor')
    }
    expect((await server.enter(token)).json().code).toBe('session.second_factor')
  })

  it('works once for concurrent requests; unknown tokens and addresses are rejected', async () => {
    await using server = await startWithKim()
    const token = await server.create()
    const replies = await Promise.all([server.enter(token), server.enter(token), server.enter(`npc_${'A'.repeat(43)}`)])
    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 404, 404])
    await expect(createOperatorLink(server.deps, 'nobody@acme.example', { removesFactors: false })).rejects.toMatchObject({
      code: 'user.not_found',
    })
  })
})
