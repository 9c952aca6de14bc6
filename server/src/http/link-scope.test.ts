import { api, type Endpoint, type LinkType } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { day, formOf, type Office, openOffice } from '../features/link/testing.ts'
import { alike } from '../testing.ts'

/**
 * Every endpoint of the contract against every type of link. A break-in that recurs in products like this one is a call beside the
 * one that checks; so the list is the contract's own, and a call that has no row here fails the first test.
 */
interface Try {
  params?: Record<string, string>
  query?: string
  headers?: Record<string, string>
  body?: object | string
}

interface Row {
  /** Aimed at what the link names; where links differ, by what the file and the directory links name. */
  inside: (office: Office, upload: string, visitor: Record<string, string>) => Try | Promise<Try>
  /** Aimed at what lies beside it, in the same company and in another. Without it, there is nothing to aim at. */
  outside?: (office: Office) => Try[]
  /** Which types of links may do it. Everything else is refused. */
  allowed: readonly LinkType[]
  /** It may be done, and there is nothing to do. */
  inVain?: boolean
}

const types = ['LINK_FILE', 'LINK_DIRECTORY', 'LINK_EDITABLE_DIRECTORY'] as const
const everyLink = types
const directories = ['LINK_DIRECTORY', 'LINK_EDITABLE_DIRECTORY'] as const
const editable = ['LINK_EDITABLE_DIRECTORY'] as const

const tus = { 'tus-resumable': '1.0.0' }
const begin = (directory: string) => ({
  headers: { ...tus, 'upload-length': '5', 'upload-metadata': `filename ${btoa('a.txt')},directory ${btoa(directory)}` },
})
const piece = { headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }, body: 'hello' }
const form = (directory: string): Try => ({
  params: { directory, filename: 'new.txt' },
  headers: formOf('').headers,
  body: formOf('hello').payload,
})
const besides = (office: Office) => [office.hidden, office.foreignFile, 'absent'].map((id) => ({ params: { id } }))
const elsewhere = (office: Office) => [office.other, office.foreign, 'absent'].map((id) => ({ params: { id } }))

/** The cells of the rights of links: a file is read; a directory is listed and read; an editable one is added to. */
const scope: Record<string, Row> = {
  'GET /v1/access': { inside: () => ({}), allowed: everyLink },
  'GET /v1/file': {
    inside: () => ({}),
    outside: (office) => [{ query: 'trash=true' }, { query: `trash=true&directory=${office.other}` }],
    allowed: directories,
  },
  'GET /v1/file/{id}': { inside: (office) => ({ params: { id: office.first } }), outside: besides, allowed: everyLink },
  'POST /v1/file/{id}/ticket': { inside: (office) => ({ params: { id: office.first } }), outside: besides, allowed: everyLink },
  'POST /v1/file/{id}/preview': { inside: (office) => ({ params: { id: office.first } }), outside: besides, allowed: everyLink },
  'GET /v1/directory/{id}/zip': {
    inside: (office) => ({ params: { id: office.plans } }),
    outside: elsewhere,
    allowed: directories,
  },
  'POST /v1/directory/{id}/ticket': {
    inside: (office) => ({ params: { id: office.plans } }),
    outside: elsewhere,
    allowed: directories,
  },
  'PUT /v1/file/{directory}/{filename}': {
    inside: (office) => form(office.plans),
    outside: (office) => [office.other, office.foreign, 'absent'].map(form),
    allowed: editable,
  },
  'POST /v1/upload': {
    inside: (office) => begin(office.plans),
    outside: (office) => [office.other, office.foreign, 'absent'].map(begin),
    allowed: editable,
  },
  'HEAD /v1/upload/{id}': { inside: (_, id) => ({ params: { id }, headers: tus }), allowed: editable },
  'PATCH /v1/upload/{id}': { inside: (_, id) => ({ params: { id }, ...piece }), allowed: editable },
  'DELETE /v1/upload/{id}': { inside: (_, id) => ({ params: { id }, headers: tus }), allowed: editable },
  'POST /v1/upload/{id}/part': { inside: (_, id) => ({ params: { id }, body: { offset: 0 } }), allowed: editable },
  // Nothing was opened: there is nothing to close.
  'PUT /v1/upload/{id}/part': { inside: (_, id) => ({ params: { id }, body: { number: 1 } }), allowed: editable, inVain: true },
  'POST /v1/receipt': {
    inside: async (office, _, visitor) => {
      await office.put(office.plans, 'mine.txt', visitor)
      return { body: {} }
    },
    outside: (office) => [office.first, office.hidden, office.foreignFile, 'absent'].map((id) => ({ body: { files: [id] } })),
    allowed: editable,
  },
  'POST /v1/receipt/{id}/email': {
    inside: async (office, _, visitor) => {
      await office.put(office.plans, 'mine.txt', visitor)
      const { data } = (await office.call('POST', '/v1/receipt', visitor, {})).json()
      return { params: { id: data?.receipt.id ?? 'absent' }, body: { email: 'rob@client.example' } }
    },
    outside: () => [{ params: { id: 'absent' }, body: { email: 'rob@client.example' } }],
    allowed: editable,
  },
}

const endpoints = Object.values(api).flatMap((group) => Object.values<Endpoint>(group))
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
/** What the guard opens to a link's token. The rest it refuses, whatever a handler would do. */
const reachable = endpoints.filter(({ access }) => access === 'link' || access === 'shared')
const open = endpoints.filter(({ access }) => access === 'public')
const closed = endpoints.filter(({ access }) => access === 'staff' || access === 'admin')

it('knows each call as one for links, for staff or for everybody: there is no fourth kind', () => {
  expect(reachable.length + closed.length + open.length).toBe(endpoints.length)
})

it.each(types)('what is open to everybody is told to %s as to any stranger', async (type) => {
  await using office = await openOffice()
  const link = await office.share(type)
  const visitor = await office.enter(link)
  for (const endpoint of open) {
    const attempt = { params: { id: link.key, ticket: 'x' }, ...(endpoint.body && { body: {} }) }
    const [known, stranger] = [await send(office, endpoint, visitor, attempt), await send(office, endpoint, {}, attempt)]
    expect([known.statusCode, alike(known)], nameOf(endpoint)).toEqual([stranger.statusCode, alike(stranger)])
  }
})

it('has a row for every call the guard opens to links, and none besides', () => {
  expect(Object.keys(scope).toSorted()).toEqual(reachable.map(nameOf).toSorted())
})

it.each(types)('no call that is for staff is opened by %s', async (type) => {
  await using office = await openOffice()
  const visitor = await office.enter(await office.share(type))
  for (const endpoint of closed) {
    const reply = await send(office, endpoint, visitor, {})
    expect([reply.statusCode, reply.json().code], nameOf(endpoint)).toEqual([403, 'link.forbidden'])
  }
})

describe.each(reachable.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s', (name, endpoint) => {
  const row = scope[name]

  it.each(types)('by %s: inside what it names, outside, and once it is expired, reset or deleted', async (type) => {
    await using office = await openOffice()
    const [link, other] = [await office.share(type), await office.share(type)]
    const upload = await unfinished(office, link)
    const visitor = await office.enter(link)
    const aim = (await row?.inside(office, upload, visitor)) ?? {}
    const isAllowed = row?.allowed.includes(type)

    for (const attempt of row?.outside?.(office) ?? []) {
      const reply = await send(office, endpoint, visitor, attempt)
      expect(reply.statusCode, `${JSON.stringify(attempt)} → ${reply.body}`).toBeOneOf([403, 404])
    }
    // An upload belongs to the link it was begun by.
    if (name.includes('/v1/upload/{id}'))
      expect((await send(office, endpoint, await office.enter(other), aim)).statusCode).toBeOneOf([403, 404])

    for (const end of [expire, reset, remove]) {
      const ended = await office.share(type)
      const token = await office.enter(ended)
      await end(office, ended.key)
      const reply = await send(office, endpoint, token, aim)
      expect(reply.statusCode, `${end.name} → ${reply.body}`).toBe(401)
      if (end === expire) office.advance(-31 * day)
    }
    expect((await send(office, endpoint, {}, aim)).statusCode).toBe(401)
    expect((await send(office, endpoint, { authorization: `Bearer npl_${'A'.repeat(43)}` }, aim)).statusCode).toBe(401)

    const reply = await send(office, endpoint, visitor, aim)
    if (isAllowed) expect(reply.statusCode, reply.body).toBeOneOf(row?.inVain ? [409] : [200, 201, 204])
    else expect(reply.statusCode, reply.body).toBeOneOf([403, 404])
  })
})

/** An upload of the link's own, where it may have one. */
async function unfinished(office: Office, link: { key: string; code: string }): Promise<string> {
  const reply = await office.app.inject({
    method: 'POST',
    url: '/v1/upload',
    headers: { ...(await office.enter(link)), ...begin(office.plans).headers },
  })
  return (
    String(reply.headers['location'] ?? 'absent')
      .split('/')
      .at(-1) ?? ''
  )
}

async function expire(office: Office) {
  office.advance(31 * day)
}

async function reset(office: Office, accessKey: string) {
  const { accessCode } = await office.data('POST', '/v1/link/initialise', office.kim, { type: 'RESET', accessKey })
  await office.call('PATCH', '/v1/link/reset', office.kim, { accessKey, accessCode })
}

async function remove(office: Office, key: string) {
  await office.call('DELETE', `/v1/link/${key}`, office.kim)
}

function send(office: Office, { method, path }: Endpoint, who: Record<string, string>, { params, query, headers, body }: Try) {
  const url = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => params?.[key] ?? 'absent')
  return office.app.inject({
    method,
    url: query ? `${url}?${query}` : url,
    headers: { ...headers, ...who },
    ...(body !== undefined && { payload: body }),
  })
}
