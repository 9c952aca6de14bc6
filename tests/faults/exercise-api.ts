import { randomBytes } from 'node:crypto'
import { LinkState } from '@neptune/contract'
import { expect } from 'vitest'
import { admin } from '../support/start-neptune.ts'
import { postLogin, type signInAdmin } from '../support/start-signed-in.ts'

type Neptune = Awaited<ReturnType<typeof signInAdmin>>
type Headers = Record<string, string>

/** The records that the requests need: a company with a user, a directory and a link. */
export interface Records {
  company: string
  user: string
  directory: string
  link: string
  accessCode: string
}

const person = { email: 'kim@acme.example', password: `${admin.password} of kim` }

/** Creates the records with the API. */
export async function createRecords(neptune: Neptune): Promise<Records> {
  const post = async (path: string, body: object) => {
    const reply = await neptune.send('POST', path, body)
    expect(reply.status, path).toBe(200)
    return (await reply.json()).data
  }
  const { id: company } = await post('/v1/admin/company', { name: 'Acme' })
  const { id: user } = await post('/v1/admin/user', { name: 'Kim', company, role: 'NEPTUNE_USER', ...person })
  const { id: directory } = await post('/v1/directory', { directory: 'Plans', client: company })
  const { key, accessCode } = await makeLink(neptune, company, directory)
  return { company, user, directory, link: key, accessCode }
}

async function makeLink({ send }: Neptune, company: string, directory: string): Promise<{ key: string; accessCode: string }> {
  const { data } = await (await send('POST', '/v1/link/initialise', { company, directory })).json()
  const expiry = new Date(Date.now() + 24 * 60 * 60_000).toISOString()
  await send('POST', '/v1/link', { linkType: 'LINK_EDITABLE_DIRECTORY', directory, expiry, ...data })
  return data
}

const bothDirections = (...sorts: string[]) => sorts.flatMap((sort) => [`sort=${sort}`, `sort=-${sort}`])

/** Returns the paths of the lists that can get many rows, with their sort orders and filters. */
export function listPaths({ company, user, directory, link }: Records, file: string): string[] {
  const withQuery = (path: string, queries: string[]) => queries.map((query) => (query === '' ? path : `${path}?${query}`))
  const files = bothDirections('created_at', 'name', 'size')
  const links = bothDirections('created_at', 'name', 'expiry')
  const withSorts = (scope: string, sorts: string[]) => sorts.map((sort) => `${scope}&${sort}`)
  return [
    '/v1/stats',
    '/v1/dashboard',
    '/v1/identity/session',
    ...withQuery('/v1/file', [
      '',
      ...files,
      ...withSorts(`company=${company}`, files),
      ...withSorts(`directory=${directory}`, files),
    ]),
    ...withQuery('/v1/file', ['kind=pdf', `kind=pdf&company=${company}`, `kind=pdf&directory=${directory}`, 'trash=true']),
    ...withQuery('/v1/file', [`trash=true&company=${company}`, `trash=true&directory=${directory}`]),
    ...withQuery(
      '/v1/file',
      ['report', '7a12', 'report 7a1 paris', 'nothing like it', 're'].map((search) => `search=${search}`),
    ),
    ...withQuery('/v1/file', [`search=report&directory=${directory}`, `search=nothing like it&company=${company}`]),
    ...withQuery('/v1/link', ['', ...links, ...withSorts(`company=${company}`, links)]),
    ...withQuery(
      '/v1/link',
      LinkState.options.flatMap((state) => [`state=${state}`, `state=${state}&company=${company}`]),
    ),
    ...withQuery(
      '/v1/link',
      LinkState.options.slice(3).flatMap((state) => withSorts(`state=${state}`, links)),
    ),
    ...withQuery(
      '/v1/link',
      ['report', 'guest77', 'nothing like it', link].map((search) => `search=${search}`),
    ),
    ...withQuery('/v1/upload', ['', 'sort=started_at', `company=${company}`, `directory=${directory}`]),
    ...withQuery('/v1/directory', ['', ...bothDirections('name', 'created_at'), `company=${company}`, 'search=12', 'trash=true']),
    ...withQuery('/v1/admin/company', ['', ...bothDirections('name', 'created_at'), 'search=12']),
    ...withQuery('/v1/company', [
      '',
      ...bothDirections('name', 'created_at', 'bytes'),
      'archived=true',
      'search=12',
      'search=company 12',
    ]),
    `/v1/company/${company}`,
    ...withQuery('/v1/admin/user', ['', ...bothDirections('name', 'email', 'created_at'), 'search=12', `company=${company}`]),
    ...withQuery('/v1/admin/mail', ['', 'state=sent', 'state=failed', 'search=guest77']),
    ...withQuery('/v1/activity', ['', 'sort=id', `person=${user}`, `link=${link}`, `file=${file}`, `directory=${directory}`]),
    ...withQuery('/v1/activity', [`company=${company}`, 'action=file.deleted', 'action=backup.made', 'outcome=refused']),
    ...withQuery('/v1/activity', ['from=2025-01-01T00:00:00Z&to=2025-01-02T00:00:00Z', 'to=2024-06-01T00:00:00Z']),
    ...withQuery('/v1/activity', [`company=${company}&action=link.opened`, `person=${user}&outcome=refused`]),
    `/v1/link/${link}/activity`,
    `/v1/link/${link}/receipt`,
    `/v1/link/${link}/info`,
    '/v1/ask',
    `/v1/directory/${directory}`,
  ]
}

/** Sends the most frequent kinds of requests of an admin, a user, a stranger and a recipient, and calls `step` after each. */
export async function exerciseApi(neptune: Neptune, records: Records, step: Step): Promise<void> {
  const { company, directory, link } = records
  const call = makeCaller(neptune.url, step)
  const file = await put(neptune, directory, 'first.txt', step)
  await put(neptune, directory, 'first.txt', step) // gets a different name
  const session = await call('kim', 'POST', '/v1/identity/login', {}, person)
  const kim = { authorization: `Bearer ${session.token}` }
  await actAsStaff(call, 'admin', neptune.headers, records, file)
  await actAsStaff(call, 'kim', kim, records, file)
  const access = { access: 'selected', companies: [company] }
  await call('admin', 'PATCH', `/v1/admin/user/${records.user}/access`, neptune.headers, access)
  for (const path of listPaths(records, file).filter((path) => !path.startsWith('/v1/admin/mail')))
    await call('kim with selected companies', 'GET', path, kim)
  await actAsStranger(call, link)
  await actAsRecipient(call, neptune.url, records, file, step)
  await uploadWithTus(neptune, directory, step)
  const reset = await call('kim', 'POST', '/v1/link/initialise', kim, { type: 'RESET', accessKey: link })
  await call('kim', 'PATCH', '/v1/link/reset', kim, { accessKey: link, accessCode: reset.data?.accessCode })
  const { key } = await makeLink(neptune, company, directory)
  await call('admin', 'DELETE', `/v1/link/${key}`, neptune.headers)
  await call('admin', 'PATCH', '/v1/admin/role', neptune.headers, { email: person.email, role: 'NEPTUNE_ADMIN' })
  expect((await postLogin(neptune.url, person)).status).toBe(200)
}

type Step = (description: string) => Promise<unknown>
type Caller = ReturnType<typeof makeCaller>

const makeCaller =
  (url: string, step: Step) => async (who: string, method: string, path: string, headers: Headers, body?: object) => {
    const reply = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    expect(reply.status, `${method} ${path} by ${who}: ${text.slice(0, 500)}`).toBeLessThan(who === 'stranger' ? 500 : 400)
    await step(`${method} ${path} by ${who}`)
    return reply.headers.get('content-type')?.includes('json') ? JSON.parse(text) : undefined
  }

const uploadFile = (url: string, headers: Headers, directory: string, name: string) => {
  const form = new FormData()
  form.set('file', new Blob([randomBytes(100)]))
  return fetch(`${url}/v1/file/${directory}/${name}`, { method: 'PUT', headers, body: form })
}

async function put({ url, headers }: Neptune, directory: string, name: string, step: Step): Promise<string> {
  const reply = await uploadFile(url, headers, directory, name)
  expect(reply.status).toBe(200)
  await step(`PUT ${name}`)
  return ((await reply.json()) as { data: { id: string } }).data.id
}

async function actAsStaff(call: Caller, who: 'admin' | 'kim', headers: Headers, records: Records, file: string) {
  const { company, link, accessCode } = records
  for (const path of listPaths(records, file).filter((path) => who === 'admin' || !path.startsWith('/v1/admin/mail'))) {
    const page = await call(who, 'GET', path, headers)
    const cursor = page?.next ? `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(page.next)}` : ''
    if (cursor) await call(who, 'GET', path + cursor, headers)
  }
  await call(who, 'GET', `/v1/file/${file}`, headers)
  await call(who, 'POST', '/v1/file/clash', headers, { directory: records.directory, names: ['first.txt', 'new.txt'] })
  await call(who, 'PATCH', `/v1/file/${file}`, headers, { file_name: `renamed by ${who}.txt` })
  await call(who, 'DELETE', `/v1/file/${file}`, headers)
  await call(who, 'POST', '/v1/file/restore', headers, { ids: [file] })
  const created = await call(who, 'POST', '/v1/directory', headers, { directory: `By ${who}`, client: company })
  await call(who, 'PATCH', `/v1/directory/${created.data.id}`, headers, { directory: `Made by ${who}` })
  await call(who, 'DELETE', `/v1/directory/${created.data.id}`, headers)
  await call(who, 'POST', `/v1/directory/${created.data.id}/restore`, headers)
  await call(who, 'POST', `/v1/link/${link}/code`, headers)
  await call(who, 'POST', `/v1/link/${link}/preview`, headers)
  await call(who, 'POST', '/v1/link/email', headers, { key: link, accessCode, targetEmail: 'sam@globex.example' })
}

async function actAsStranger(call: Caller, link: string) {
  await call('stranger', 'POST', '/v1/identity/login', {}, { ...person, password: 'not the right one' })
  await call('stranger', 'POST', '/v1/identity/forgot', {}, { email: person.email })
  await call('stranger', 'POST', '/v1/link/verify', {}, { accessKey: link, accessCode: 'AAAA-AAAA-AAAA' })
  await call('stranger', 'POST', '/v1/ask', {}, { accessKey: link, wants: 'time' })
}

async function actAsRecipient(call: Caller, url: string, { directory, link, accessCode }: Records, file: string, step: Step) {
  const opened = await call('guest', 'POST', '/v1/link/verify', {}, { accessKey: link, accessCode })
  const guest = { authorization: `Bearer ${opened.data.token}` }
  for (const path of ['/v1/access', '/v1/file', '/v1/file?sort=-size', '/v1/file?search=first', `/v1/file/${file}`])
    await call('guest', 'GET', path, guest)
  await uploadFile(url, guest, directory, 'brought.txt')
  await step('PUT brought.txt by guest')
  await call('guest', 'POST', '/v1/receipt', guest, {})
}

async function uploadWithTus({ url, headers }: Neptune, directory: string, step: Step) {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const metadata = `filename ${base64('chunks.bin')},directory ${base64(directory)}`
  const send = async (method: string, path: string, more: Headers, body?: Buffer<ArrayBuffer>) => {
    const reply = await fetch(url + path, {
      method,
      headers: { ...headers, 'tus-resumable': '1.0.0', ...more },
      ...(body && { body }),
    })
    expect(reply.ok, `${method} ${path}: ${reply.status}`).toBe(true)
    await step(`${method} of a tus upload`)
    return reply
  }
  const createUpload = async () => {
    const reply = await send('POST', '/v1/upload', { 'upload-length': '20', 'upload-metadata': metadata })
    return reply.headers.get('location') ?? ''
  }
  const path = await createUpload()
  const chunkHeaders = (offset: number) => ({
    'content-type': 'application/offset+octet-stream',
    'upload-offset': String(offset),
  })
  await send('PATCH', path, chunkHeaders(0), randomBytes(10))
  await send('HEAD', path, {})
  await send('PATCH', path, chunkHeaders(10), randomBytes(10))
  await send('DELETE', await createUpload(), {})
}
