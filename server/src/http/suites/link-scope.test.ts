import { api, type Endpoint, type LinkType } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { buildForm, dayMs, type Office, openOffice } from '../../features/link/testing.ts'
import { withoutRequestId } from '../../testing.ts'
import { shareServer } from './testing.ts'

const openSharedOffice = shareServer(openOffice)

/**
 * Tests every endpoint of the contract with every type of link. A common vulnerability is an endpoint that lacks a check which
 * similar endpoints have, so the list comes from the contract, and an endpoint without a row here fails a test.
 */
interface Attempt {
  params?: Record<string, string>
  query?: string
  headers?: Record<string, string>
  body?: object | string
}

interface Row {
  /** A request for the link's own target. */
  inside: (office: Office, upload: string, visitor: Record<string, string>) => Attempt | Promise<Attempt>
  /** Requests for other targets, in the same company and in another. Omitted where a request names no target. */
  outside?: (office: Office) => Attempt[]
  /** The types of links that may call the endpoint. */
  allowed: readonly Type[]
  /** Whether an allowed request is answered with 409, because there is nothing to do. */
  isConflict?: boolean
}

const types = ['LINK_FILE', 'several files', 'LINK_DIRECTORY', 'LINK_EDITABLE_DIRECTORY'] as const
type Type = LinkType | 'several files'
const everyLink = types
const lists = ['several files', 'LINK_DIRECTORY', 'LINK_EDITABLE_DIRECTORY'] as const
const directories = ['LINK_DIRECTORY', 'LINK_EDITABLE_DIRECTORY'] as const
const editable = ['LINK_EDITABLE_DIRECTORY'] as const

const tus = { 'tus-resumable': '1.0.0' }
const buildUploadCreation = (directory: string) => ({
  headers: { ...tus, 'upload-length': '5', 'upload-metadata': `filename ${btoa('a.txt')},directory ${btoa(directory)}` },
})
const patchRequest = {
  headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
  body: 'hello',
}
const buildFormUpload = (directory: string): Attempt => ({
  params: { directory, filename: 'new.txt' },
  headers: buildForm('').headers,
  body: buildForm('hello').payload,
})
const otherFiles = (office: Office) => [office.hidden, office.foreignFile, 'absent'].map((id) => ({ params: { id } }))
const otherDirectories = (office: Office) => [office.other, office.foreign, 'absent'].map((id) => ({ params: { id } }))

/** The rights of links: a file link reads its file, a link to several files or to a directory also lists, an editable one also uploads. */
const scope: Record<string, Row> = {
  'GET /v1/live': { inside: () => ({}), allowed: everyLink },
  'GET /v1/access': { inside: () => ({}), allowed: everyLink },
  'GET /v1/file': {
    inside: () => ({}),
    outside: (office) => [{ query: 'trash=true' }, { query: `trash=true&directory=${office.other}` }],
    allowed: lists,
  },
  'GET /v1/file/{id}': { inside: (office) => ({ params: { id: office.first } }), outside: otherFiles, allowed: everyLink },
  'POST /v1/file/{id}/ticket': {
    inside: (office) => ({ params: { id: office.first } }),
    outside: otherFiles,
    allowed: everyLink,
  },
  'POST /v1/file/{id}/preview': {
    inside: (office) => ({ params: { id: office.first } }),
    outside: otherFiles,
    allowed: everyLink,
  },
  'GET /v1/directory': {
    inside: (office) => ({ query: `parent=${office.plans}` }),
    outside: () => [{ query: 'trash=true' }],
    allowed: lists,
  },
  'GET /v1/directory/{id}': {
    inside: (office) => ({ params: { id: office.plans } }),
    outside: otherDirectories,
    allowed: directories,
  },
  'POST /v1/directory/{id}/folders': {
    inside: (office) => ({ params: { id: office.plans }, body: { paths: [['a', 'b']] } }),
    outside: (office) => otherDirectories(office).map((attempt) => ({ ...attempt, body: { paths: [['a', 'b']] } })),
    allowed: editable,
  },
  'GET /v1/directory/{id}/zip': {
    inside: (office) => ({ params: { id: office.plans } }),
    outside: otherDirectories,
    allowed: lists,
  },
  'POST /v1/directory/{id}/ticket': {
    inside: (office) => ({ params: { id: office.plans } }),
    outside: otherDirectories,
    allowed: lists,
  },
  'PUT /v1/file/{directory}/{filename}': {
    inside: (office) => buildFormUpload(office.plans),
    outside: (office) => [office.other, office.foreign, 'absent'].map(buildFormUpload),
    allowed: editable,
  },
  'POST /v1/upload': {
    inside: (office) => buildUploadCreation(office.plans),
    outside: (office) => [office.other, office.foreign, 'absent'].map(buildUploadCreation),
    allowed: editable,
  },
  'HEAD /v1/upload/{id}': { inside: (_, id) => ({ params: { id }, headers: tus }), allowed: editable },
  'PATCH /v1/upload/{id}': { inside: (_, id) => ({ params: { id }, ...patchRequest }), allowed: editable },
  'DELETE /v1/upload/{id}': { inside: (_, id) => ({ params: { id }, headers: tus }), allowed: editable },
  'POST /v1/upload/{id}/part': { inside: (_, id) => ({ params: { id }, body: { offset: 0 } }), allowed: editable },
  // No part was opened, so there is none to complete.
  'PUT /v1/upload/{id}/part': {
    inside: (_, id) => ({ params: { id }, body: { number: 1 } }),
    allowed: editable,
    isConflict: true,
  },
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
/** The endpoints that the guard opens to link tokens. */
const linkEndpoints = endpoints.filter(({ access }) => access === 'link' || access === 'shared')
const publicEndpoints = endpoints.filter(({ access }) => access === 'public')
const staffEndpoints = endpoints.filter(({ access }) => access === 'staff' || access === 'admin')

it('classifies every endpoint as for links, for staff or public', () => {
  expect(linkEndpoints.length + staffEndpoints.length + publicEndpoints.length).toBe(endpoints.length)
})

const share = (office: Office, type: Type) => (type === 'several files' ? office.shareFiles([office.first]) : office.share(type))

/** Returns a reply without its random values. */
const withoutSecrets = (reply: Parameters<typeof withoutRequestId>[0]) =>
  withoutRequestId(reply).replace(/"challenge":"[\w.-]+"/, '')

it.each(types)('public endpoints reply to the recipient of a link (%s) as to an anonymous caller', async (type) => {
  await using office = await openSharedOffice()
  const link = await share(office, type)
  const visitor = await office.enter(link)
  for (const endpoint of publicEndpoints) {
    const attempt = { params: { id: link.key, ticket: 'x' }, ...(endpoint.body && { body: {} }) }
    const [known, stranger] = [await send(office, endpoint, visitor, attempt), await send(office, endpoint, {}, attempt)]
    expect([known.statusCode, withoutSecrets(known)], nameOf(endpoint)).toEqual([stranger.statusCode, withoutSecrets(stranger)])
  }
})

it('has exactly one row per endpoint that link tokens can call', () => {
  expect(Object.keys(scope).toSorted()).toEqual(linkEndpoints.map(nameOf).toSorted())
})

it.each(types)('%s gives no access to staff endpoints', async (type) => {
  await using office = await openSharedOffice()
  const visitor = await office.enter(await share(office, type))
  for (const endpoint of staffEndpoints) {
    const reply = await send(office, endpoint, visitor, {})
    expect([reply.statusCode, reply.json().code], nameOf(endpoint)).toEqual([403, 'link.forbidden'])
  }
})

describe.each(linkEndpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s', (name, endpoint) => {
  const row = scope[name]

  it.each(types)('serves %s only if allowed, inside its target, until the link is expired, reset or deleted', async (type) => {
    await using office = await openSharedOffice()
    const [link, other] = [await share(office, type), await share(office, type)]
    const upload = await createUpload(office, link)
    const visitor = await office.enter(link)
    const request = (await row?.inside(office, upload, visitor)) ?? {}
    const isAllowed = row?.allowed.includes(type)

    for (const attempt of row?.outside?.(office) ?? []) {
      const reply = await send(office, endpoint, visitor, attempt)
      expect(reply.statusCode, `${JSON.stringify(attempt)} → ${reply.body}`).toBeOneOf([403, 404])
    }
    // An upload belongs to the link that created it.
    if (name.includes('/v1/upload/{id}'))
      expect((await send(office, endpoint, await office.enter(other), request)).statusCode).toBeOneOf([403, 404])

    for (const end of [expire, reset, remove]) {
      const ended = await share(office, type)
      const token = await office.enter(ended)
      await end(office, ended.key)
      const reply = await send(office, endpoint, token, request)
      expect(reply.statusCode, `${end.name} → ${reply.body}`).toBe(401)
      if (end === expire) office.advance(-31 * dayMs)
    }
    expect((await send(office, endpoint, {}, request)).statusCode).toBe(401)
    expect((await send(office, endpoint, { authorization: `Bearer npl_${'A'.repeat(43)}` }, request)).statusCode).toBe(401)

    const reply = await send(office, endpoint, visitor, request)
    if (isAllowed) expect(reply.statusCode, reply.body).toBeOneOf(row?.isConflict ? [409] : [200, 201, 204])
    else expect(reply.statusCode, reply.body).toBeOneOf([403, 404])
  })
})

/** Creates an upload through the link, if its type allows that. Returns the id of the upload. */
async function createUpload(office: Office, link: { key: string; code: string }): Promise<string> {
  const reply = await office.app.inject({
    method: 'POST',
    url: '/v1/upload',
    headers: { ...(await office.enter(link)), ...buildUploadCreation(office.plans).headers },
  })
  return (
    String(reply.headers['location'] ?? 'absent')
      .split('/')
      .at(-1) ?? ''
  )
}

async function expire(office: Office) {
  office.advance(31 * dayMs)
}

async function reset(office: Office, accessKey: string) {
  const { accessCode } = await office.data('POST', '/v1/link/initialise', office.kim, { type: 'RESET', accessKey })
  await office.call('PATCH', '/v1/link/reset', office.kim, { accessKey, accessCode })
}

async function remove(office: Office, key: string) {
  await office.call('DELETE', `/v1/link/${key}`, office.kim)
}

function send(
  office: Office,
  { method, path }: Endpoint,
  who: Record<string, string>,
  { params, query, headers, body }: Attempt,
) {
  const url = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => params?.[key] ?? 'absent')
  return office.app.inject({
    method,
    url: query ? `${url}?${query}` : url,
    headers: { ...headers, ...who },
    ...(body !== undefined && { payload: body }),
  })
}
