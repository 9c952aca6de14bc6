import type { Endpoint } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { writeQueuedEntries } from '../../features/audit/audit.service.ts'
import { toBearerHeader, withoutRequestId } from '../../testing.ts'
import { type FilterIds, listCombinations, listVariants, pagedEndpoints, readingEndpoints } from './list-variants.ts'
import { colleague, form, openWorld, tus, type World } from './testing.ts'

type Headers = Record<string, string>

const emails = {
  'a user of their own company': 'user@acme.example',
  'a user with two selected companies': 'third@acme.example',
  'a user with all companies': 'all@acme.example',
  'an admin': 'admin@acme.example',
}
type Caller = keyof typeof emails
const limited: Caller[] = ['a user of their own company', 'a user with two selected companies']
const unlimited: Caller[] = ['a user with all companies', 'an admin']

/** Returns the ids of one company's records, for filters. */
const idsOf = (world: World, side: 'own' | 'foreign'): FilterIds => ({
  company: world.company[side],
  directory: world.directoryId[side],
  file: world.fileId[side],
  owner: world.colleagueId[side],
  person: world.colleagueId[side],
  user: world.colleagueId[side],
  link: world.linkKey[side],
})

const absentIds: FilterIds = {
  ...{ company: 'absent', directory: 'absent', file: 'absent' },
  ...{ owner: 'absent', person: 'absent', user: 'absent', link: 'absent' },
}

/** Reads a list or an export. Cursors are random, so only whether there is one remains. */
async function read({ app }: World, url: string, headers: Headers): Promise<string> {
  const reply = await app.inject({ method: 'GET', url, headers })
  expect(reply.statusCode, url).toBe(200)
  if (reply.headers['content-type'] === 'application/x-ndjson; charset=utf-8') return reply.body
  const body = reply.json()
  return JSON.stringify(body.next ? { ...body, next: 'more' } : body)
}

/** Exports the activity with these filters. The export itself is recorded, and removed here, so that the next one is the same. */
async function exportActivity({ app, deps }: World, headers: Headers, filters: object): Promise<string> {
  const { url } = (await app.inject({ method: 'POST', url: '/v1/activity/export', headers, payload: filters })).json().data
  const { body } = await app.inject({ method: 'GET', url })
  await deps.db.deleteFrom('audit').where('action', '=', 'activity.exported').execute()
  const lines = body.split('\n').filter((line) => !line.includes('activity.exported'))
  return lines.join('\n')
}

/** Reads everything that a caller can read: every list with every filter and order, every page, and their own company's records. */
async function readEverything(world: World, headers: Headers, listUrls = listCombinations): Promise<Map<string, string>> {
  const ids = idsOf(world, 'own')
  const found = new Map<string, string>()
  const urls = readingEndpoints.flatMap((endpoint) => listUrls(endpoint, ids))
  const ofOwnRecords = [
    `/v1/company/${ids.company}`,
    `/v1/directory/${ids.directory}`,
    `/v1/admin/user/${ids.user}`,
    `/v1/link/${ids.link}/activity`,
    `/v1/link/${ids.link}/receipt`,
    `/v1/webhook/${world.webhookId.own}/delivery`,
  ]
  for (const url of [...urls, ...ofOwnRecords]) found.set(url, await read(world, url, headers))
  for (const endpoint of pagedEndpoints) found.set(`pages of ${endpoint.path}`, await readPages(world, endpoint, headers))
  for (const filters of [{}, { company: ids.company }, { outcome: 'done' }, { from: '2026-01-01T00:00:00Z' }])
    found.set(`export ${JSON.stringify(filters)}`, await exportActivity(world, headers, filters))
  for (const [name, id] of Object.entries({ directory: ids.directory, owner: ids.owner, company: ids.company }))
    found.set(`affected ${name}`, await readAffected(world, headers, { [name]: id }))
  return found
}

async function readAffected({ app }: World, headers: Headers, payload: object): Promise<string> {
  return (await app.inject({ method: 'POST', url: '/v1/link/affected', headers, payload })).body
}

/** Reads a list row by row. */
async function readPages({ app }: World, { path }: Endpoint, headers: Headers): Promise<string> {
  const rows: unknown[] = []
  for (let cursor = ''; ; ) {
    const { data, next } = (await app.inject({ method: 'GET', url: `${path}?limit=1${cursor}`, headers })).json()
    rows.push(data)
    if (!next) return JSON.stringify(rows)
    cursor = `&cursor=${encodeURIComponent(next)}`
  }
}

/**
 * Starts the sessions of those who work in the other company. Call it before the first read: the admin is a colleague of the callers, who see
 * the admin's sign-in in their activity.
 */
const startForeignSessions = async (world: World) => ({
  eve: await world.startSessionAs(colleague.foreign),
  admin: await world.startSessionAs(emails['an admin']),
})

/** Makes many kinds of changes in the other company, as one of its people and as an admin. */
async function workInForeignCompany(world: World, { eve, admin }: { eve: Headers; admin: Headers }): Promise<void> {
  const send = async (headers: Headers, method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, payload?: object | string) => {
    const reply = await world.app.inject({ method, url, headers, ...(payload !== undefined && { payload }) })
    expect(reply.statusCode, `${method} ${url} ${reply.body}`).toBeLessThan(300)
    return reply
  }
  const company = world.company.foreign
  for (const name of ['Zebra', 'Plans 2']) {
    const directory: string = (await send(eve, 'POST', '/v1/directory', { directory: name, client: company })).json().data.id
    const files: string[] = []
    for (const file of ['zebra.txt', 'a.txt', 'photo.png'])
      files.push((await send({ ...eve, ...form.headers }, 'PUT', `/v1/file/${directory}/${file}`, form.payload)).json().data.id)
    await send(eve, 'DELETE', `/v1/file/${files[0]}`)
    const metadata = `filename ${btoa('zebra.txt')},directory ${btoa(directory)}`
    await send({ ...eve, ...tus, 'upload-length': '5', 'upload-metadata': metadata }, 'POST', '/v1/upload')
    const reserved = (await send(eve, 'POST', '/v1/link/initialise', { company, directory })).json().data
    await send(eve, 'POST', '/v1/link', { linkType: 'LINK_DIRECTORY', directory, ...reserved, expiry: '2026-12-03' })
    await world.app.inject({ method: 'POST', url: '/v1/ask', payload: { accessKey: reserved.key, wants: 'code' } })
    await send(eve, 'POST', `/v1/link/${reserved.key}/code`)
    await world.app.inject({ method: 'GET', url: `/v1/directory/${directory}/zip`, headers: eve })
  }
  await send(eve, 'DELETE', `/v1/directory/${world.directoryId.foreign}`)
  const hook = { company, url: 'https://zebra.example', events: ['upload', 'download'] }
  await send(eve, 'POST', '/v1/webhook', hook)
  const user = { name: 'Zebra', email: 'zebra@globex.example', role: 'NEPTUNE_USER', company, invite: true }
  const invited: string = (await send(admin, 'POST', '/v1/admin/user', user)).json().data.id
  await send(admin, 'PATCH', `/v1/admin/user/${invited}/access`, { access: 'selected', companies: [company] })
  await send(admin, 'PATCH', `/v1/admin/company/${company}`, { name: 'Zebra & Globex', note: 'zebra', quota: 1 })
  await send(admin, 'POST', `/v1/admin/company/${company}/archive`)
  await send(admin, 'POST', `/v1/admin/company/${company}/restore`)
  await writeQueuedEntries(world.deps)
}

/** Returns the URLs whose replies differ. */
const findChanges = (before: Map<string, string>, after: Map<string, string>) =>
  [...before].filter(([url, body]) => after.get(url) !== body).map(([url]) => url)

describe('P53: what happens in another company', () => {
  it.each(limited)('changes no reply to %s', async (caller) => {
    await using world = await openWorld()
    const headers = await world.startSessionAs(emails[caller])
    const sessions = await startForeignSessions(world)
    const before = await readEverything(world, headers)
    await workInForeignCompany(world, sessions)
    expect(findChanges(before, await readEverything(world, headers))).toEqual([])
  })

  it.each(unlimited)('is shown to %s', async (caller) => {
    await using world = await openWorld()
    const headers = await world.startSessionAs(emails[caller])
    const readPlain = async () => {
      const found = new Map<string, string>()
      for (const { path } of readingEndpoints) found.set(path, await read(world, path, headers))
      return found
    }
    const sessions = await startForeignSessions(world)
    const before = await readPlain()
    await workInForeignCompany(world, sessions)
    const lists = [
      'activity',
      'admin/company',
      'admin/user',
      'ask',
      'company',
      'dashboard',
      'directory',
      'export/file',
      'file',
      'link',
      'stats',
    ]
    const expected = [...lists, 'upload', 'webhook'].map((name) => `/v1/${name}`)
    expect(findChanges(before, await readPlain()).toSorted()).toEqual(expected)
  })
})

describe.each(limited)('P53: %s', (caller) => {
  it('gets the same reply for an id of another company as for an absent one, in every filter and order', async () => {
    await using world = await openWorld()
    const headers = await world.startSessionAs(emails[caller])
    const foreign = idsOf(world, 'foreign')
    for (const endpoint of readingEndpoints) {
      const absent = listCombinations(endpoint, absentIds)
      const pairs = listCombinations(endpoint, foreign).map((url, at) => [url, absent[at] ?? ''] as const)
      for (const [url, absentUrl] of pairs.filter(([url, absentUrl]) => url !== absentUrl))
        expect(await read(world, url, headers), url).toBe(await read(world, absentUrl, headers))
    }
    for (const name of ['company', 'directory', 'file', 'link', 'person'] as const) {
      const absent = await exportActivity(world, headers, { [name]: 'absent' })
      expect(await exportActivity(world, headers, { [name]: foreign[name] })).toBe(absent)
    }
    for (const name of ['company', 'directory', 'owner'] as const) {
      const absent = await readAffected(world, headers, { [name]: 'absent' })
      expect(await readAffected(world, headers, { [name]: foreign[name] })).toBe(absent)
    }
  })

  it('can’t use the cursors of others, nor those of another list', async () => {
    await using world = await openWorld()
    const sessions = await startForeignSessions(world)
    await workInForeignCompany(world, sessions)
    const { admin } = sessions
    const headers = await world.startSessionAs(emails[caller])
    const cursors = new Map<string, string>()
    for (const { path } of pagedEndpoints) {
      const { next } = (await world.app.inject({ method: 'GET', url: `${path}?limit=1`, headers: admin })).json()
      if (next) cursors.set(path, next)
    }
    expect(cursors.size).toBeGreaterThan(6)
    for (const { path } of pagedEndpoints) {
      const send = (cursor: string, who = headers) =>
        world.app.inject({ method: 'GET', url: `${path}?limit=1&cursor=${encodeURIComponent(cursor)}`, headers: who })
      const invalid = withoutRequestId(await send('invented'))
      for (const cursor of cursors.values()) expect(withoutRequestId(await send(cursor)), path).toBe(invalid)
      for (const [other, cursor] of cursors)
        expect((await send(cursor, admin)).statusCode, `${other} in ${path}`).toBe(other === path ? 200 : 400)
    }
  })
})

describe('P53: someone who loses access to a company during a session', () => {
  it.each(['selected', 'all'] as const)('gets the same replies as before they had access: %s', async (access) => {
    await using world = await openWorld()
    const sessions = await startForeignSessions(world)
    await workInForeignCompany(world, sessions)
    const { admin } = sessions
    const headers = await world.startSessionAs('user@acme.example')
    const { id } = (await world.app.inject({ method: 'GET', url: '/v1/identity', headers })).json().data
    const created = await world.app.inject({
      ...{ method: 'POST', url: '/v1/token', headers },
      payload: { name: 'Script', scope: 'read' },
    })
    const token = toBearerHeader(created.json().data.token)
    const give = async (payload: object) => {
      await world.app.inject({ method: 'PATCH', url: `/v1/admin/user/${id}/access`, headers: admin, payload })
      // The user's own company sees the change in its activity. This test compares only what the access reveals.
      await world.deps.db.deleteFrom('audit').where('action', '=', 'user.access_changed').execute()
    }
    const readTokens = async () => {
      const found = new Map<string, string>()
      for (const endpoint of readingEndpoints.filter((one) => one.token))
        for (const url of listVariants(endpoint, idsOf(world, 'foreign'))) found.set(url, await read(world, url, token))
      return found
    }
    const before = { token: await readTokens(), session: await readEverything(world, headers, listVariants) }
    await give({ access, companies: [world.company.foreign] })
    const { next } = (await world.app.inject({ method: 'GET', url: '/v1/file?limit=1', headers })).json()
    expect(findChanges(before.session, await readEverything(world, headers, listVariants)).length).toBeGreaterThan(20)
    expect(findChanges(before.token, await readTokens()).length).toBeGreaterThan(10)
    await give({ access: 'own' })
    expect(findChanges(before.session, await readEverything(world, headers, listVariants))).toEqual([])
    expect(findChanges(before.token, await readTokens())).toEqual([])
    const url = `/v1/file?limit=200&cursor=${encodeURIComponent(next)}`
    expect(await read(world, url, headers)).not.toContain(world.company.foreign)
  })
})
