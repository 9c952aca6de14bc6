import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { login, type signIn } from '../support/signed-in.ts'
import { admin } from '../support/start-neptune.ts'

type Neptune = Awaited<ReturnType<typeof signIn>>
type Headers = Record<string, string>

/** What the walk needs to be there: a company with a user, a directory with a file, and a link that a recipient has opened. */
export interface Place {
  company: string
  user: string
  directory: string
  link: string
  accessCode: string
}

const person = { email: 'kim@acme.example', password: `${admin.password} of kim` }

/** Made as people make it. */
export async function makePlace(neptune: Neptune): Promise<Place> {
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

const both = (...sorts: string[]) => sorts.flatMap((sort) => [`sort=${sort}`, `sort=-${sort}`])

/** Every list, in every order and by every filter. */
export function listsOf({ company, user, directory, link }: Place, file: string): string[] {
  const withQuery = (path: string, queries: string[]) => queries.map((query) => (query === '' ? path : `${path}?${query}`))
  const files = both('created_at', 'name', 'size')
  const links = both('created_at', 'name', 'expiry')
  const each = (scope: string, sorts: string[]) => sorts.map((sort) => `${scope}&${sort}`)
  return [
    '/v1/stats',
    '/v1/dashboard',
    '/v1/identity/session',
    ...withQuery('/v1/file', ['', ...files, ...each(`company=${company}`, files), ...each(`directory=${directory}`, files)]),
    ...withQuery('/v1/file', ['kind=pdf', `kind=pdf&company=${company}`, `kind=pdf&directory=${directory}`, 'trash=true']),
    ...withQuery('/v1/file', [`trash=true&company=${company}`, `trash=true&directory=${directory}`]),
    ...withQuery(
      '/v1/file',
      ['report', '7a12', 'report 7a1 paris', 'nothing like it', 're'].map((search) => `search=${search}`),
    ),
    ...withQuery('/v1/file', [`search=report&directory=${directory}`, `search=nothing like it&company=${company}`]),
    ...withQuery('/v1/link', ['', ...links, ...each(`company=${company}`, links)]),
    ...withQuery(
      '/v1/link',
      ['active', 'expiring', 'expired', 'trashed', 'paused'].flatMap((state) => [
        `state=${state}`,
        `state=${state}&company=${company}`,
      ]),
    ),
    ...withQuery(
      '/v1/link',
      ['trashed', 'paused'].flatMap((state) => each(`state=${state}`, links)),
    ),
    ...withQuery(
      '/v1/link',
      ['report', 'guest77', 'nothing like it', link].map((search) => `search=${search}`),
    ),
    ...withQuery('/v1/upload', ['', 'sort=started_at', `company=${company}`, `directory=${directory}`]),
    ...withQuery('/v1/directory', ['', ...both('name', 'created_at'), `company=${company}`, 'search=12', 'trash=true']),
    ...withQuery('/v1/admin/company', ['', ...both('name', 'created_at'), 'search=12']),
    ...withQuery('/v1/admin/user', ['', ...both('name', 'email', 'created_at'), 'search=12', `company=${company}`]),
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

/** Goes through everything that staff, a user of one company and a recipient do, lists and single things alike. `step` is told of each. */
export async function walk(neptune: Neptune, place: Place, step: Step): Promise<void> {
  const { company, directory, link } = place
  const ask = askAt(neptune.url, step)
  const file = await put(neptune, directory, 'walk.txt', step)
  await put(neptune, directory, 'walk.txt', step) // gets another name
  const session = await ask('kim', 'POST', '/v1/identity/login', {}, person)
  const kim = { authorization: `Bearer ${session.token}` }
  await walkAsStaff(ask, 'admin', neptune.headers, place, file)
  await walkAsStaff(ask, 'kim', kim, place, file)
  await walkAsStranger(ask, link)
  await walkAsGuest(ask, neptune.url, place, file, step)
  await inPieces(neptune, directory, step)
  const reset = await ask('kim', 'POST', '/v1/link/initialise', kim, { type: 'RESET', accessKey: link })
  await ask('kim', 'PATCH', '/v1/link/reset', kim, { accessKey: link, accessCode: reset.data?.accessCode })
  const { key } = await makeLink(neptune, company, directory)
  await ask('admin', 'DELETE', `/v1/link/${key}`, neptune.headers)
  await ask('admin', 'PATCH', '/v1/admin/role', neptune.headers, { email: person.email, role: 'NEPTUNE_ADMIN' })
  expect((await login(neptune.url, person)).status).toBe(200)
}

type Step = (what: string) => Promise<unknown>
type Ask = ReturnType<typeof askAt>

const askAt = (url: string, step: Step) => async (who: string, method: string, path: string, headers: Headers, body?: object) => {
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

const bring = (url: string, headers: Headers, directory: string, name: string) => {
  const form = new FormData()
  form.set('file', new Blob([randomBytes(100)]))
  return fetch(`${url}/v1/file/${directory}/${name}`, { method: 'PUT', headers, body: form })
}

async function put({ url, headers }: Neptune, directory: string, name: string, step: Step): Promise<string> {
  const reply = await bring(url, headers, directory, name)
  expect(reply.status).toBe(200)
  await step(`PUT ${name}`)
  return ((await reply.json()) as { data: { id: string } }).data.id
}

async function walkAsStaff(ask: Ask, who: 'admin' | 'kim', headers: Headers, place: Place, file: string) {
  const { company, link, accessCode } = place
  for (const path of listsOf(place, file).filter((path) => who === 'admin' || !path.startsWith('/v1/admin/mail'))) {
    const page = await ask(who, 'GET', path, headers)
    const cursor = page?.next ? `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(page.next)}` : ''
    if (cursor) await ask(who, 'GET', path + cursor, headers)
  }
  await ask(who, 'GET', `/v1/file/${file}`, headers)
  await ask(who, 'POST', '/v1/file/clash', headers, { directory: place.directory, names: ['walk.txt', 'new.txt'] })
  await ask(who, 'PATCH', `/v1/file/${file}`, headers, { file_name: `walked by ${who}.txt` })
  await ask(who, 'DELETE', `/v1/file/${file}`, headers)
  await ask(who, 'POST', '/v1/file/restore', headers, { ids: [file] })
  const made = await ask(who, 'POST', '/v1/directory', headers, { directory: `By ${who}`, client: company })
  await ask(who, 'PATCH', `/v1/directory/${made.data.id}`, headers, { directory: `Made by ${who}` })
  await ask(who, 'DELETE', `/v1/directory/${made.data.id}`, headers)
  await ask(who, 'POST', `/v1/directory/${made.data.id}/restore`, headers)
  await ask(who, 'POST', `/v1/link/${link}/code`, headers)
  await ask(who, 'POST', `/v1/link/${link}/preview`, headers)
  await ask(who, 'POST', '/v1/link/email', headers, { key: link, accessCode, targetEmail: 'sam@globex.example' })
}

async function walkAsStranger(ask: Ask, link: string) {
  await ask('stranger', 'POST', '/v1/identity/login', {}, { ...person, password: 'not the right one' })
  await ask('stranger', 'POST', '/v1/identity/forgot', {}, { email: person.email })
  await ask('stranger', 'POST', '/v1/link/verify', {}, { accessKey: link, accessCode: 'AAAA-AAAA-AAAA' })
  await ask('stranger', 'POST', '/v1/ask', {}, { accessKey: link, wants: 'time' })
}

async function walkAsGuest(ask: Ask, url: string, { directory, link, accessCode }: Place, file: string, step: Step) {
  const opened = await ask('guest', 'POST', '/v1/link/verify', {}, { accessKey: link, accessCode })
  const guest = { authorization: `Bearer ${opened.data.token}` }
  for (const path of ['/v1/access', '/v1/file', '/v1/file?sort=-size', '/v1/file?search=walk', `/v1/file/${file}`])
    await ask('guest', 'GET', path, guest)
  await bring(url, guest, directory, 'brought.txt')
  await step('PUT brought.txt by guest')
  await ask('guest', 'POST', '/v1/receipt', guest, {})
}

async function inPieces({ url, headers }: Neptune, directory: string, step: Step) {
  const word = (text: string) => Buffer.from(text).toString('base64')
  const metadata = `filename ${word('pieces.bin')},directory ${word(directory)}`
  const send = async (method: string, path: string, more: Headers, body?: Buffer<ArrayBuffer>) => {
    const reply = await fetch(url + path, {
      method,
      headers: { ...headers, 'tus-resumable': '1.0.0', ...more },
      ...(body && { body }),
    })
    expect(reply.ok, `${method} ${path}: ${reply.status}`).toBe(true)
    await step(`${method} of an upload in pieces`)
    return reply
  }
  const begin = async () => {
    const reply = await send('POST', '/v1/upload', { 'upload-length': '20', 'upload-metadata': metadata })
    return reply.headers.get('location') ?? ''
  }
  const path = await begin()
  const piece = (offset: number) => ({ 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) })
  await send('PATCH', path, piece(0), randomBytes(10))
  await send('HEAD', path, {})
  await send('PATCH', path, piece(10), randomBytes(10))
  await send('DELETE', await begin(), {})
}
