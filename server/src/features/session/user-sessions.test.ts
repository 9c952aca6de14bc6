import { describe, expect, it } from 'vitest'
import { toBearerHeader } from '../../testing.ts'
import { openOffice } from '../link/testing.ts'

/** Starts a server where Kim is also signed in on a tablet. */
async function openOfficeWithTablet() {
  const office = await openOffice()
  const signedIn = await office.signIn('kim@acme.example', undefined, { headers: { 'user-agent': 'Tablet' } })
  const tablet = toBearerHeader(signedIn.json().token)
  const eveId: string = (await office.data('GET', '/v1/identity', office.eve)).id
  const adminId: string = (await office.data('GET', '/v1/identity', office.admin)).id
  const sessionsOf = (id: string) => office.data('GET', `/v1/admin/user/${id}/session`, office.admin)
  const isSignedIn = async (who: Record<string, string>) => (await office.call('GET', '/v1/identity', who)).statusCode === 200
  const readEntry = async (action: string) => (await office.data('GET', `/v1/activity?action=${action}`, office.admin))[0]
  return { ...office, tablet, adminId, eveId, sessionsOf, isSignedIn, readEntry }
}

describe('the sessions of a user, for admins', () => {
  it('are listed without secrets', async () => {
    await using office = await openOfficeWithTablet()
    const sessions = await office.sessionsOf(office.kimId)
    expect(sessions).toHaveLength(2)
    expect(sessions.find(({ agent }: { agent: string }) => agent === 'Tablet')).toEqual({
      id: expect.any(String),
      created_at: expect.any(String),
      last_seen_at: expect.any(String),
      client: '127.0.0.1',
      agent: 'Tablet',
      method: 'password',
      second_factor: null,
      is_new_browser: true,
      current: false,
    })
  })

  it('can be ended one by one, which the audit log records', async () => {
    await using office = await openOfficeWithTablet()
    const { id } = (await office.sessionsOf(office.kimId)).find(({ agent }: { agent: string }) => agent === 'Tablet')
    const path = `/v1/admin/user/${office.kimId}/session/${id}`
    expect((await office.call('DELETE', path, office.admin)).statusCode).toBe(204)
    expect([await office.isSignedIn(office.tablet), await office.isSignedIn(office.kim)]).toEqual([false, true])
    expect(await office.readEntry('session.ended')).toMatchObject({ person_id: office.adminId, name: 'kim@acme.example' })
    expect((await office.call('DELETE', path, office.admin)).json().code).toBe('session.not_found')
  })

  it('can be ended all at once, together with the API tokens', async () => {
    await using office = await openOfficeWithTablet()
    const { token } = await office.data('POST', '/v1/token', office.kim, { name: 'Backup', scope: 'read' })
    expect((await office.call('DELETE', `/v1/admin/user/${office.kimId}/session`, office.admin)).statusCode).toBe(204)
    const live = await Promise.all([office.kim, office.tablet].map(office.isSignedIn))
    expect(live).toEqual([false, false])
    expect((await office.call('GET', '/v1/file', toBearerHeader(token))).statusCode).toBe(401)
    expect(await office.isSignedIn(office.eve)).toBe(true)
    expect(await office.sessionsOf(office.kimId)).toEqual([])
    expect(await office.readEntry('session.ended_everywhere')).toMatchObject({
      person_id: office.adminId,
      name: 'kim@acme.example',
    })
    expect((await office.signIn('kim@acme.example')).statusCode).toBe(200)
  })

  it('can’t be ended under the id of another user', async () => {
    await using office = await openOfficeWithTablet()
    const [{ id }] = await office.sessionsOf(office.eveId)
    const reply = await office.call('DELETE', `/v1/admin/user/${office.kimId}/session/${id}`, office.admin)
    expect([reply.statusCode, reply.json().code]).toEqual([404, 'session.not_found'])
    expect(await office.isSignedIn(office.eve)).toBe(true)
  })

  it.each(['GET', 'DELETE'])('return 404 for an unknown user: %s', async (method) => {
    await using office = await openOfficeWithTablet()
    const reply = await office.call(method, '/v1/admin/user/absent/session', office.admin)
    expect([reply.statusCode, reply.json().code]).toEqual([404, 'user.not_found'])
  })
})
