import { once } from 'node:events'
import { request } from 'node:http'
import { api, type Endpoint } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { password, toBearerHeader, withoutRequestId } from '../../testing.ts'
import { writeQueuedEntries } from '../audit/audit.service.ts'
import { buildForm, dayMs, openOffice } from '../link/testing.ts'
import { sweepTokens } from './token.service.ts'

type Headers = Record<string, string>

/** Starts a server with an office (see link/testing.ts) and helpers for tokens. */
async function openTokenOffice() {
  const office = await openOffice()
  const create = async (who: Headers, body: object = {}) => {
    const reply = await office.call('POST', '/v1/token', who, { name: 'Backup', scope: 'read', ...body })
    const { id, token } = reply.json().data ?? {}
    return { reply, id: id as string, headers: toBearerHeader(String(token)) }
  }
  const getStatus = async (who: Headers, url = '/v1/file', method = 'GET') => (await office.call(method, url, who)).statusCode
  const list = async (who: Headers) => (await office.call('GET', '/v1/token', who)).json().data
  const readAuditLog = async () => {
    await writeQueuedEntries(office.deps)
    return office.deps.db.selectFrom('audit').selectAll().orderBy('seq').execute()
  }
  const adminRole = { email: 'kim@acme.example', role: 'NEPTUNE_ADMIN' }
  return { ...office, create, getStatus, list, readAuditLog, adminRole }
}

const endpoints = Object.values(api).flatMap((group) => Object.values<Endpoint>(group))
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const listAllowed = (scope: string) => endpoints.filter(({ token }) => token === scope).map(nameOf)

describe('an API token', () => {
  it('is shown once, listed without its value, and stored as a hash', async () => {
    await using server = await openTokenOffice()
    const { reply, id, headers } = await server.create(server.kim, { expiresAt: '2026-12-31' })
    const { token } = reply.json().data
    expect(token).toMatch(/^npt_[\w-]{43}$/)
    expect(await server.getStatus(headers)).toBe(200)
    expect(await server.list(server.kim)).toEqual([
      {
        id,
        name: 'Backup',
        scope: 'read',
        created_at: '2026-12-01T09:00:00.000Z',
        last_used_at: '2026-12-01T09:00:00.000Z',
        expires_at: '2026-12-31T23:59:59.999Z',
      },
    ])
    const rows = JSON.stringify(await server.deps.db.selectFrom('api_token').selectAll().execute())
    expect(rows).not.toContain(token)
    expect(JSON.stringify(await server.readAuditLog())).not.toContain(token)
    expect(server.logLines.join()).not.toContain(token)
    expect(await server.list(server.eve)).toEqual([])
  })

  it('allows the calls that the contract names for its scope, and no others', async () => {
    await using server = await openTokenOffice()
    const { headers: read } = await server.create(server.admin)
    const { headers: write } = await server.create(server.admin, { scope: 'write' })
    const listRejected = async (headers: Headers) => {
      const rejected: string[] = []
      for (const endpoint of endpoints.filter(({ access }) => access !== 'public')) {
        const url = endpoint.path.replaceAll(/\{\w+\}/g, 'x')
        const reply = await server.app.inject({ method: endpoint.method, url, headers })
        if (reply.statusCode === 403 && (endpoint.method === 'HEAD' || reply.json().code === 'token.forbidden'))
          rejected.push(nameOf(endpoint))
      }
      return rejected.toSorted()
    }
    const guarded = endpoints.filter(({ access }) => access !== 'public').map(nameOf)
    const allExcept = (names: string[]) => guarded.filter((name) => !names.includes(name)).toSorted()
    expect(await listRejected(read)).toEqual(allExcept(listAllowed('read')))
    expect(await listRejected(write)).toEqual(allExcept([...listAllowed('read'), ...listAllowed('write')]))
  })

  it('does not allow calls that are for people only, nor changes if its scope is read', () => {
    const forPeople = /^\w+ \/v1\/(identity|user|admin|token|webhook|activity|receipt|access|ask\/)|\/(email|code|preview)$/
    expect([...listAllowed('read'), ...listAllowed('write')].filter((name) => forPeople.test(name))).toEqual([])
    expect(listAllowed('read').filter((name) => !/^GET |\/(ticket|clash|affected)$/.test(name))).toEqual([])
    expect(listAllowed('read')).toContain('GET /v1/file/{id}')
    expect(listAllowed('write')).toContain('PUT /v1/file/{directory}/{filename}')
  })

  it('acts within its owner’s company and its own scope, and is named in the audit log', async () => {
    await using server = await openTokenOffice()
    const { headers: read } = await server.create(server.kim)
    const { headers: write } = await server.create(server.kim, { name: 'Deploy', scope: 'write' })
    expect((await server.call('GET', `/v1/file/${server.first}`, read)).body).toBe('first.txt')
    expect(await server.getStatus(read, `/v1/file/${server.foreignFile}`)).toBe(404)
    expect((await server.put(server.plans, 'new.txt', read)).json().code).toBe('token.forbidden')
    const file = (await server.put(server.plans, 'new.txt', write)).json().data.id
    expect(await server.getStatus(write, `/v1/file/${file}`, 'DELETE')).toBe(204)
    const rows = await server.readAuditLog()
    const listPeople = (action: string) => rows.filter((row) => row.action === action).map(({ person }) => person)
    expect(listPeople('file.uploaded').at(-1)).toBe('Kim Doe (token Deploy)')
    expect(listPeople('file.deleted')).toEqual(['Kim Doe (token Deploy)'])
    expect(listPeople('file.downloaded')).toEqual(['Kim Doe (token Backup)'])
    expect(listPeople('access.refused')).toEqual(['Kim Doe (token Backup)'])
    expect(rows.filter(({ action }) => action === 'token.created').map(({ name, note }) => [name, note])).toEqual([
      ['Backup', 'read'],
      ['Deploy', 'write'],
    ])
  })

  it('creates tickets that stop working when it is revoked', async () => {
    await using server = await openTokenOffice()
    const { id, headers } = await server.create(server.kim)
    const { url } = await server.data('POST', `/v1/file/${server.first}/ticket`, headers)
    expect((await server.call('GET', url)).body).toBe('first.txt')
    await server.call('DELETE', `/v1/token/${id}`, server.kim)
    expect(await server.getStatus({}, url)).toBe(404)
  })

  it('gets what its owner may see of a link and, once revoked, only what anyone with the key may see', async () => {
    await using server = await openTokenOffice()
    const { key } = await server.share()
    const { id, headers } = await server.create(server.kim)
    const readInfo = () => server.data('GET', `/v1/link/${key}/info`, headers)
    expect(await readInfo()).toMatchObject({ key, name: 'Plans' })
    await server.call('DELETE', `/v1/token/${id}`, server.kim)
    expect(await readInfo()).toEqual({ key, type: 'LINK_DIRECTORY' })
  })

  it('shows when it was last used, to the minute', async () => {
    await using server = await openTokenOffice()
    const { headers } = await server.create(server.kim)
    expect((await server.list(server.kim))[0].last_used_at).toBeNull()
    await server.getStatus(headers)
    server.advance(30_000)
    await server.getStatus(headers)
    expect((await server.list(server.kim))[0].last_used_at).toBe('2026-12-01T09:00:00.000Z')
    server.advance(31_000)
    await server.getStatus(headers)
    expect((await server.list(server.kim))[0].last_used_at).toBe('2026-12-01T09:01:01.000Z')
  })

  it('can expire only on a future date within ten years', async () => {
    await using server = await openTokenOffice()
    for (const [expiresAt, message] of [
      ['2026-11-30', 'This must be in the future.'],
      ['2027-02-30', 'This date does not exist.'],
      ['2040-01-01', 'This must be within ten years.'],
      ['soon', 'This must be a date such as 2026-12-31, or a time such as 2026-12-31T23:00:00Z.'],
    ])
      expect((await server.create(server.kim, { expiresAt })).reply.json().errors).toEqual([{ field: 'expiresAt', message }])
  })

  it('is limited to fifty per user, even when many are created at once', async () => {
    await using server = await openTokenOffice()
    await Promise.all(Array.from({ length: 49 }, () => server.create(server.kim)))
    const replies = await Promise.all(Array.from({ length: 5 }, () => server.create(server.kim)))
    expect(replies.map(({ reply }) => reply.statusCode).toSorted()).toEqual([200, 409, 409, 409, 409])
    expect(await server.list(server.kim)).toHaveLength(50)
    expect((await server.create(server.eve)).reply.statusCode).toBe(200)
  })
})

describe('ending an API token', () => {
  const kimsEmail = 'kim@acme.example'
  const waysToEnd: Record<
    string,
    (server: Awaited<ReturnType<typeof openTokenOffice>>, id: string) => Promise<unknown> | undefined
  > = {
    'when it is revoked': (server, id) => server.call('DELETE', `/v1/token/${id}`, server.kim),
    'when an admin revokes it': (server, id) => server.call('DELETE', `/v1/admin/user/${server.kimId}/token/${id}`, server.admin),
    'when it expires': async (server) => server.advance(2 * dayMs),
    'when its owner is suspended': (server) => server.call('POST', `/v1/admin/user/${server.kimId}/suspend`, server.admin),
    'when its owner’s role changes': (server) => server.call('PATCH', '/v1/admin/role', server.admin, server.adminRole),
    'when its owner signs out everywhere': (server) => server.call('DELETE', '/v1/identity/session', server.kim),
    'when its owner changes the password': (server) =>
      server.call('PATCH', '/v1/identity/password', server.kim, {
        oldPassword: password,
        newPassword: 'another long password',
      }),
  }

  it.each(Object.entries(waysToEnd))('happens %s; the token then gets the same response as an unknown one', async (_, end) => {
    await using server = await openTokenOffice()
    const { id, headers } = await server.create(server.kim, { scope: 'write', expiresAt: '2026-12-02' })
    expect(await server.getStatus(headers)).toBe(200)
    await end(server, id)
    const reply = await server.call('GET', '/v1/file', headers)
    expect(reply.statusCode).toBe(401)
    expect(withoutRequestId(reply)).toBe(
      withoutRequestId(await server.call('GET', '/v1/file', toBearerHeader(`npt_${'A'.repeat(43)}`))),
    )
    await sweepTokens(server.deps)
    expect(await server.deps.db.selectFrom('api_token').select('id').execute()).toEqual([])
  })

  it('is permanent: a restored user must create a new token', async () => {
    await using server = await openTokenOffice()
    const { headers } = await server.create(server.kim)
    await server.call('POST', `/v1/admin/user/${server.kimId}/suspend`, server.admin)
    await server.call('POST', `/v1/admin/user/${server.kimId}/restore`, server.admin)
    expect(await server.getStatus(headers)).toBe(401)
    expect(await server.list(await server.startSessionAs(kimsEmail))).toEqual([])
  })

  it('is not possible for another user, who cannot find out whether the token exists', async () => {
    await using server = await openTokenOffice()
    const { id, headers } = await server.create(server.kim)
    const reply = await server.call('DELETE', `/v1/token/${id}`, server.eve)
    expect(reply.statusCode).toBe(404)
    expect(withoutRequestId(reply)).toBe(withoutRequestId(await server.call('DELETE', '/v1/token/absent', server.eve)))
    expect(await server.getStatus(server.kim, `/v1/admin/user/${server.kimId}/token`)).toBe(403)
    expect(await server.getStatus(headers)).toBe(200)
    expect(await server.data('GET', `/v1/admin/user/${server.kimId}/token`, server.admin)).toMatchObject([{ id, name: 'Backup' }])
    expect(await server.getStatus(server.admin, '/v1/admin/user/absent/token')).toBe(404)
  })

  it('happens when all sessions end while the token is being created', async () => {
    await using server = await openTokenOffice()
    const [{ headers }] = await Promise.all([
      server.create(server.kim),
      server.call('DELETE', '/v1/identity/session', server.kim),
    ])
    expect(await server.getStatus(headers)).toBe(401)
  })

  it('aborts its running upload', async () => {
    await using server = await openTokenOffice()
    const { id, headers } = await server.create(server.kim, { scope: 'write' })
    const url = new URL(`/v1/file/${server.plans}/slow.txt`, await server.listen())
    const { payload } = buildForm('never whole')
    const upload = request(url, {
      method: 'PUT',
      headers: { ...headers, ...buildForm('').headers, 'transfer-encoding': 'chunked' },
    })
    upload.write(payload.slice(0, -20))
    await expect
      .poll(() => server.deps.db.selectFrom('api_token').select('last_used_at').executeTakeFirst())
      .toMatchObject({
        last_used_at: expect.any(String),
      })
    await server.call('DELETE', `/v1/token/${id}`, server.kim)
    upload.end(payload.slice(-20))
    const [response] = await once(upload, 'response')
    expect(response.statusCode).toBe(401)
    response.resume()
  })
})
