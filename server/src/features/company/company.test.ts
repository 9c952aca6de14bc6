import { describe, expect, it } from 'vitest'
import { startTestServer } from '../../testing.ts'

async function startOffice() {
  const server = await startTestServer()
  await server.addUser({ email: 'admin@acme.example', role: 'NEPTUNE_ADMIN' })
  await server.addUser({ email: 'kim@acme.example' })
  const asAdmin = await server.startSessionAs('admin@acme.example')
  const asKim = await server.startSessionAs('kim@acme.example')
  const listNames = async (headers: Record<string, string>, query = '') => {
    const reply = await server.app.inject({ url: `/v1/admin/company${query}`, headers })
    return reply.json().data.map(({ name }: { name: string }) => name)
  }
  const send = (method: 'POST' | 'PATCH', url: string, name: string) =>
    server.app.inject({ method, url, headers: asAdmin, payload: { name } })
  return { ...server, asAdmin, asKim, listNames, send }
}

describe('companies', () => {
  it('are all visible to admins; users see only their own', async () => {
    await using server = await startOffice()
    expect(await server.listNames(server.asAdmin)).toEqual(['Acme 2', 'Acme GmbH'])
    expect(await server.listNames(server.asKim)).toEqual(['Acme 2'])
  })

  it('include their directories, sorted by name', async () => {
    await using server = await startOffice()
    const { data } = (await server.app.inject({ url: '/v1/admin/company', headers: server.asKim })).json()
    for (const directory of ['Plans', 'contracts']) {
      const payload = { directory, client: data[0].id }
      await server.app.inject({ method: 'POST', url: '/v1/directory', headers: server.asKim, payload })
    }
    const reply = await server.app.inject({ url: '/v1/admin/company', headers: server.asAdmin })
    expect(reply.json().data.map(({ directories }: { directories: unknown[] }) => directories)).toEqual([
      [
        { id: expect.any(String), title: 'contracts' },
        { id: expect.any(String), title: 'Plans' },
      ],
      [],
    ])
  })

  it('can be created and renamed; names are unique, ignoring case', async () => {
    await using server = await startOffice()
    const created = (await server.send('POST', '/v1/admin/company', ' Globex ')).json().data
    expect(created).toMatchObject({ name: 'Globex', directories: [] })
    expect((await server.send('POST', '/v1/admin/company', 'GLOBEX')).json().code).toBe('company.name_taken')
    expect((await server.send('PATCH', `/v1/admin/company/${created.id}`, 'Initech')).json().data).toMatchObject({
      id: created.id,
      name: 'Initech',
    })
    expect((await server.send('PATCH', `/v1/admin/company/${created.id}`, 'acme gmbh')).statusCode).toBe(409)
    expect((await server.send('PATCH', '/v1/admin/company/nowhere', 'Other')).statusCode).toBe(404)
    expect(await server.listNames(server.asAdmin, '?search=INI')).toEqual(['Initech'])
  })

  it('are matched by name whether letters are composed or decomposed, even in a search', async () => {
    await using server = await startOffice()
    await server.send('POST', '/v1/admin/company', 'Büro Nord')
    expect((await server.send('POST', '/v1/admin/company', 'bu\u0308ro nord')).json().code).toBe('company.name_taken')
    const search = encodeURIComponent('BU\u0308RO')
    expect(await server.listNames(server.asAdmin, `?search=${search}`)).toEqual(['Büro Nord'])
  })
})
