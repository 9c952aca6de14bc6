import { api, type Endpoint } from '@neptune/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { writeNotes } from '../features/audit/audit.service.ts'
import { alike, password, startTestServer } from '../testing.ts'

type Server = Awaited<ReturnType<typeof world>>
type Side = 'own' | 'foreign'

interface Row {
  params?: (server: Server, side: Side) => Record<string, string>
  body?: (server: Server, side: Side) => object | string
  headers?: (server: Server, side: Side) => Record<string, string>
  /** Status for a user who is no admin, and for an admin, on what is their own company's and on what is another's. */
  user: Record<Side, number>
  admin: Record<Side, number>
}

const same = (status: number) => ({ own: status, foreign: status })
const adminsOnly = { user: same(403), admin: same(200) }
const newUser = { name: 'Ada', email: 'ada@acme.example', role: 'NEPTUNE_USER', password: 'analytical engine' }

/** Users do it in their own company, admins everywhere; to others it is not there. */
const ownCompany = (status: number) => ({ user: { own: status, foreign: 404 }, admin: same(status) })
const directoryOf = (server: Server, side: Side) => ({ id: server.directoryId[side] })
const fileOf = (server: Server, side: Side) => ({ id: server.fileId[side] })
const linkOf = (server: Server, side: Side) => ({ key: server.linkKey[side] })
const webhookOf = (server: Server, side: Side) => ({ id: server.webhookId[side] })
const uploadOf = (server: Server, side: Side) => ({ id: server.uploadId[side] })
const form = {
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
  body: '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhello\r\n--x--\r\n',
}
const tus = { 'tus-resumable': '1.0.0' }

/** Every endpoint that is not public has a row. A new one without a row fails the first test below. */
const matrix: Record<string, Row> = {
  'GET /v1/identity': { user: same(200), admin: same(200) },
  'DELETE /v1/identity': { user: same(204), admin: same(204) },
  'PATCH /v1/identity/password': {
    body: () => ({ oldPassword: password, newPassword: 'another long password' }),
    user: same(200),
    admin: same(200),
  },
  'GET /v1/identity/session': { user: same(200), admin: same(200) },
  'DELETE /v1/identity/session': { user: same(204), admin: same(204) },
  // Sessions are a person's own: a colleague's are as absent as a stranger's, to admins too.
  'DELETE /v1/identity/session/{id}': {
    params: (server, side) => ({ id: server.sessionId[side] }),
    user: same(404),
    admin: same(404),
  },
  'GET /v1/admin/company': { user: same(200), admin: same(200) },
  'POST /v1/admin/company': { body: () => ({ name: 'New company' }), ...adminsOnly },
  'PATCH /v1/admin/company/{id}': {
    params: (server, side) => ({ id: server.company[side] }),
    body: () => ({ name: 'Another name' }),
    ...adminsOnly,
  },
  'GET /v1/admin/user': { user: same(200), admin: same(200) },
  'POST /v1/admin/user': { body: (server, side) => ({ ...newUser, company: server.company[side] }), ...adminsOnly },
  'PATCH /v1/admin/role': { body: (_, side) => ({ email: colleague[side], role: 'NEPTUNE_USER' }), ...adminsOnly },
  'POST /v1/admin/user/{id}/suspend': { params: (server, side) => ({ id: server.colleagueId[side] }), ...adminsOnly },
  'GET /v1/admin/mail': adminsOnly,
  'POST /v1/admin/mail/test': { body: (_, side) => ({ to: colleague[side] }), ...adminsOnly },
  'POST /v1/admin/mail/{id}/again': { params: () => ({ id: 'absent' }), user: same(403), admin: same(404) },
  'GET /v1/directory': { user: same(200), admin: same(200) },
  'POST /v1/directory': {
    body: (server, side) => ({ directory: 'New', client: server.company[side] }),
    ...ownCompany(200),
  },
  'GET /v1/directory/{id}': { params: directoryOf, ...ownCompany(200) },
  'PATCH /v1/directory/{id}': { params: directoryOf, body: () => ({ directory: 'Another' }), ...ownCompany(200) },
  'DELETE /v1/directory/{id}': { params: directoryOf, ...ownCompany(204) },
  'POST /v1/directory/{id}/restore': { params: directoryOf, ...ownCompany(200) },
  'POST /v1/directory/{id}/ticket': { params: directoryOf, ...ownCompany(200) },
  'GET /v1/directory/{id}/zip': { params: directoryOf, ...ownCompany(200) },
  'GET /v1/file': { user: same(200), admin: same(200) },
  'PUT /v1/file/{directory}/{filename}': {
    params: (server, side) => ({ directory: server.directoryId[side], filename: 'new.txt' }),
    headers: () => form.headers,
    body: () => form.body,
    ...ownCompany(200),
  },
  'GET /v1/file/{id}': { params: fileOf, ...ownCompany(200) },
  'POST /v1/file/{id}/ticket': { params: fileOf, ...ownCompany(200) },
  'POST /v1/file/{id}/preview': { params: fileOf, ...ownCompany(200) },
  'PATCH /v1/file/{id}': { params: fileOf, body: () => ({ file_name: 'another.txt' }), ...ownCompany(200) },
  'DELETE /v1/file/{id}': { params: fileOf, ...ownCompany(204) },
  'POST /v1/file/delete': { body: (server, side) => ({ ids: [server.fileId[side]] }), ...ownCompany(204) },
  'POST /v1/file/restore': { body: (server, side) => ({ ids: [server.fileId[side]] }), ...ownCompany(200) },
  'POST /v1/upload': {
    headers: (server, side) => ({
      'tus-resumable': '1.0.0',
      'upload-length': '5',
      'upload-metadata': `filename ${btoa('a.txt')},directory ${btoa(server.directoryId[side])}`,
    }),
    ...ownCompany(201),
  },
  // Uploads are a person's own, like sessions.
  'HEAD /v1/upload/{id}': { params: uploadOf, headers: () => tus, user: same(404), admin: same(404) },
  'PATCH /v1/upload/{id}': {
    params: uploadOf,
    headers: () => ({ ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }),
    body: () => 'hello',
    user: same(404),
    admin: same(404),
  },
  'DELETE /v1/upload/{id}': { params: uploadOf, headers: () => tus, user: same(404), admin: same(404) },
  'POST /v1/upload/{id}/part': { params: uploadOf, body: () => ({ offset: 0 }), user: same(404), admin: same(404) },
  'PUT /v1/upload/{id}/part': { params: uploadOf, body: () => ({ number: 1 }), user: same(404), admin: same(404) },
  'GET /v1/link': { user: same(200), admin: same(200) },
  'POST /v1/link/initialise': {
    body: (server, side) => ({ company: server.company[side], directory: server.directoryId[side] }),
    ...ownCompany(200),
  },
  // Nothing was reserved for these two.
  'POST /v1/link': {
    body: (server, side) => ({
      linkType: 'LINK_DIRECTORY',
      directory: server.directoryId[side],
      key: 'x',
      accessCode: 'x',
      expiry: '2027-01-01',
    }),
    ...ownCompany(409),
  },
  'PATCH /v1/link/reset': {
    body: (server, side) => ({ accessKey: server.linkKey[side], accessCode: 'x' }),
    ...ownCompany(409),
  },
  'POST /v1/link/email': {
    body: (server, side) => ({ key: server.linkKey[side], targetEmail: 'rob@client.example' }),
    ...ownCompany(200),
  },
  'DELETE /v1/link/{key}': { params: linkOf, ...ownCompany(204) },
  'POST /v1/link/delete': { body: (server, side) => ({ keys: [server.linkKey[side]] }), ...ownCompany(204) },
  'POST /v1/link/{key}/code': { params: linkOf, ...ownCompany(200) },
  'POST /v1/link/{key}/preview': { params: linkOf, ...ownCompany(200) },
  'POST /v1/link/{key}/extend': { params: linkOf, ...ownCompany(200) },
  'GET /v1/link/{key}/activity': { params: linkOf, ...ownCompany(200) },
  'GET /v1/ask': { user: same(200), admin: same(200) },
  'POST /v1/ask/{id}': {
    params: (server, side) => ({ id: server.askId[side] }),
    body: () => ({ grant: false }),
    ...ownCompany(200),
  },
  // For recipients alone.
  'GET /v1/access': { user: same(403), admin: same(403) },
  'POST /v1/receipt': { body: () => ({}), user: same(403), admin: same(403) },
  'POST /v1/receipt/{id}/email': { body: () => ({ email: 'rob@client.example' }), user: same(403), admin: same(403) },
  'GET /v1/link/{key}/receipt': { params: linkOf, ...ownCompany(200) },
  'GET /v1/activity': { user: same(200), admin: same(200) },
  'POST /v1/activity/export': { body: () => ({}), user: same(200), admin: same(200) },
  // Tokens are a person's own, like sessions; admins revoke those of others by another call.
  'GET /v1/token': { user: same(200), admin: same(200) },
  'POST /v1/token': { body: () => ({ name: 'Backup', scope: 'read' }), user: same(200), admin: same(200) },
  'DELETE /v1/token/{id}': { params: (server, side) => ({ id: server.tokenId[side] }), user: same(404), admin: same(404) },
  'GET /v1/admin/user/{id}/token': { params: (server, side) => ({ id: server.colleagueId[side] }), ...adminsOnly },
  'DELETE /v1/admin/user/{id}/token/{token}': {
    params: (server, side) => ({ id: server.colleagueId[side], token: server.tokenId[side] }),
    user: same(403),
    admin: same(204),
  },
  'GET /v1/webhook': { user: same(200), admin: same(200) },
  'POST /v1/webhook': {
    body: (server, side) => ({ company: server.company[side], url: 'https://hooks.example', events: ['upload'] }),
    ...ownCompany(200),
  },
  'PATCH /v1/webhook/{id}': { params: webhookOf, body: () => ({ paused: true }), ...ownCompany(200) },
  'DELETE /v1/webhook/{id}': { params: webhookOf, ...ownCompany(204) },
  'POST /v1/webhook/{id}/test': { params: webhookOf, ...ownCompany(200) },
  'GET /v1/webhook/{id}/delivery': { params: webhookOf, ...ownCompany(200) },
  'GET /v1/stats': { user: same(200), admin: same(200) },
  'GET /v1/dashboard': { user: same(200), admin: same(200) },
  'POST /v1/admin/user/{id}/restore': { params: (server, side) => ({ id: server.colleagueId[side] }), ...adminsOnly },
}

const colleague = { own: 'own@acme.example', foreign: 'foreign@globex.example' }
const guarded = Object.values(api)
  .flatMap((group) => Object.values<Endpoint>(group))
  .filter((endpoint) => endpoint.access !== 'public')
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** A user and an admin of one company, with a colleague there and somebody in another company. */
async function world() {
  const server = await startTestServer()
  const companyOf = async (id: string) =>
    (await server.deps.db.selectFrom('user').select('company_id').where('id', '=', id).executeTakeFirstOrThrow()).company_id
  const ownId = await server.addUser({ email: colleague.own })
  const own = await companyOf(ownId)
  const foreignId = await server.addUser({ email: colleague.foreign })
  await server.addUser({ email: 'user@acme.example', company_id: own })
  await server.addUser({ email: 'admin@acme.example', company_id: own, role: 'NEPTUNE_ADMIN' })
  const sessionOf = async (email: string, userId: string) => {
    await server.bearerOf(email)
    return (await server.deps.db.selectFrom('session').select('id').where('user_id', '=', userId).executeTakeFirstOrThrow()).id
  }
  const sessionId = { own: await sessionOf(colleague.own, ownId), foreign: await sessionOf(colleague.foreign, foreignId) }
  const company = { own, foreign: await companyOf(foreignId) }
  const shelves = {
    own: await shelf(server, colleague.own, own),
    foreign: await shelf(server, colleague.foreign, company.foreign),
  }
  const ids = (name: keyof typeof shelves.own) => ({ own: shelves.own[name], foreign: shelves.foreign[name] })
  return {
    ...server,
    sessionId,
    company,
    colleagueId: { own: ownId, foreign: foreignId },
    directoryId: ids('directory'),
    fileId: ids('file'),
    uploadId: ids('upload'),
    linkKey: ids('link'),
    askId: ids('ask'),
    tokenId: ids('token'),
    webhookId: ids('webhook'),
  }
}

/** A directory of somebody's, with a file in it and an upload on its way there. */
async function shelf(server: Awaited<ReturnType<typeof startTestServer>>, email: string, client: string) {
  const headers = await server.bearerOf(email)
  const payload = { directory: 'Plans', client }
  const made = await server.app.inject({ method: 'POST', url: '/v1/directory', headers, payload })
  const directory: string = made.json().data.id
  const stored = await server.app.inject({
    method: 'PUT',
    url: `/v1/file/${directory}/a.txt`,
    headers: { ...headers, ...form.headers },
    payload: form.body,
  })
  const begun = await server.app.inject({
    method: 'POST',
    url: '/v1/upload',
    headers: {
      ...headers,
      ...tus,
      'upload-length': '5',
      'upload-metadata': `filename ${btoa('b.txt')},directory ${btoa(directory)}`,
    },
  })
  const reserve = { method: 'POST', url: '/v1/link/initialise', headers, payload: { company: client, directory } } as const
  const { key, accessCode } = (await server.app.inject(reserve)).json().data
  const link = { linkType: 'LINK_DIRECTORY', directory, key, accessCode, expiry: '2027-01-01' }
  await server.app.inject({ method: 'POST', url: '/v1/link', headers, payload: link })
  await server.app.inject({ method: 'POST', url: '/v1/ask', payload: { accessKey: key, wants: 'time' } })
  const asked = await server.app.inject({ method: 'GET', url: '/v1/ask', headers })
  const token = { method: 'POST', url: '/v1/token', headers, payload: { name: 'Script', scope: 'read' } } as const
  const hook = { company: client, url: 'https://hooks.example', events: ['upload'] }
  const webhook = { method: 'POST', url: '/v1/webhook', headers, payload: hook } as const
  return {
    token: (await server.app.inject(token)).json().data.id as string,
    webhook: (await server.app.inject(webhook)).json().data.id as string,
    directory,
    file: stored.json().data.id as string,
    upload: String(begun.headers['location']).split('/').at(-1) ?? '',
    link: key as string,
    ask: asked.json().data[0].id as string,
  }
}

/** What asks, what only prepares something, and bytes on their way: the trail tells of what becomes of it. */
const prepares = [
  'POST /v1/link/initialise',
  'POST /v1/upload',
  'PATCH /v1/upload/{id}',
  'DELETE /v1/upload/{id}',
  'POST /v1/upload/{id}/part',
  'PUT /v1/upload/{id}/part',
  'POST /v1/file/{id}/ticket',
  'POST /v1/file/{id}/preview',
  'POST /v1/directory/{id}/ticket',
  'POST /v1/activity/export',
  // Nothing of it is in the trash here.
  'POST /v1/directory/{id}/restore',
  'POST /v1/file/restore',
]
const changesNothing = (endpoint: Endpoint) =>
  ['GET', 'HEAD', 'OPTIONS'].includes(endpoint.method) || prepares.includes(nameOf(endpoint))

async function trail(server: Server): Promise<string[]> {
  await writeNotes(server.deps)
  const rows = await server.deps.db.selectFrom('audit').select('action').orderBy('seq').execute()
  return rows.map(({ action }) => action)
}

/** One world for all that only ask; one of its own for whoever changes something. */
let shared: Promise<Server> | undefined
const isQuestion = ({ method }: Endpoint) => method === 'GET' || method === 'HEAD'
afterAll(async () => (await shared)?.[Symbol.asyncDispose]())

async function borrow(endpoint: Endpoint) {
  if (isQuestion(endpoint)) shared ??= world()
  const server = (await (isQuestion(endpoint) ? shared : undefined)) ?? (await world())
  return { server, [Symbol.asyncDispose]: async () => (isQuestion(endpoint) ? undefined : server[Symbol.asyncDispose]()) }
}

it('has a row for every endpoint that is not public, and none besides', () => {
  expect(Object.keys(matrix).toSorted()).toEqual(guarded.map(nameOf).toSorted())
})

describe.each(guarded.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s', (name, endpoint) => {
  it.each([
    ['user', 'own'],
    ['user', 'foreign'],
    ['admin', 'own'],
    ['admin', 'foreign'],
  ] as const)('by a %s on what is their %s company’s', async (actor, side) => {
    await using borrowed = await borrow(endpoint)
    const { server } = borrowed
    const row = matrix[name]
    const params = row?.params?.(server, side) ?? {}
    const body = row?.body?.(server, side)
    const headers = await server.bearerOf(`${actor}@acme.example`)
    const ask = (values: Record<string, string>) =>
      server.app.inject({
        method: endpoint.method,
        url: endpoint.path.replaceAll(/\{(\w+)\}/g, (_, key: string) => values[key] ?? 'absent'),
        headers: { ...headers, ...row?.headers?.(server, side) },
        ...(body && { payload: body }),
      })
    const before = await trail(server)
    const reply = await ask(params)
    expect(reply.statusCode, reply.body).toBe(row?.[actor][side])
    // What one may not see answers like what is not there: to the byte, but for the request's id.
    if (reply.statusCode === 404) expect(alike(reply)).toBe(alike(await ask({})))
    // Whatever changes something, and whatever is not allowed, is in the trail.
    const actions = (await trail(server)).slice(before.length)
    if (reply.statusCode === 403) expect(actions).toContain('access.refused')
    if (reply.statusCode < 300 && !changesNothing(endpoint)) expect(actions.length, 'rows in the trail').toBeGreaterThan(0)
    if (actor === 'user') expect(reply.body).not.toContain('globex.example')
  })
})
