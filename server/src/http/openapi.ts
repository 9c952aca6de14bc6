import { api, type Endpoint, errors, type Headers, Problem, type TokenScope } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod'
import { headerSchema, jsonSchema, rangeHeaders, responsesOf, supportsRanges } from './openapi-responses.ts'

/** Serves the OpenAPI document, generated on the first request: it takes a while, and most processes never need it. */
export function addOpenapi(app: FastifyInstance) {
  let document: string | undefined
  app.get('/openapi.json', { config: { access: 'public' } }, async (_request, reply) => {
    document ??= JSON.stringify(openapi())
    return reply.type('application/json').send(document)
  })
}

/** Returns the contract as OpenAPI 3.1, whose schemas are plain JSON Schema, which zod writes. */
export function openapi() {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [tag, endpoints] of Object.entries(api)) {
    for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
      paths[endpoint.path] = {
        ...paths[endpoint.path],
        [endpoint.method.toLowerCase()]: operation(tag, name, endpoint),
        ...(endpoint.reply === 'bytes' && { head: headOperation(tag, name, endpoint) }),
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Neptune',
      version: '1',
      description:
        'The HTTP API of Neptune. Errors are RFC 9457 problem documents with a stable code. Every reply has the header X-Request-Id.',
      contact: { name: 'An administrator of this portal' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'Where this document came from.' }],
    tags: Object.entries(subjects).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { Problem: problem(), Bytes: { description: 'Raw bytes.' } },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The token that sign-in answers with, or an API token.' },
      },
    },
  }
}

/** What the calls of each group are about. */
const subjects: Record<keyof typeof api, string> = {
  identity: 'Signing in and out, one’s own sessions and password.',
  company: 'Companies, to which staff and directories belong.',
  user: 'Staff: who may sign in, and as what.',
  mail: 'What became of each mail.',
  directory: 'Directories of files.',
  file: 'Files: uploaded, listed, downloaded, in the trash and out of it.',
  upload: 'Uploads that survive a lost network, by tus 1.0.',
  link: 'Shareable links: what staff do with them, and what recipients do.',
  receipt: 'Signed receipts for what recipients brought.',
  token: 'API tokens, for scripts.',
  webhook: 'Webhooks: what happens is sent to programs of others, signed.',
  stats: 'Totals.',
  activity: 'What happened.',
}

/** `x-access`, for people. */
const callers: Record<Endpoint['access'], string> = {
  public: 'Anybody may call this.',
  staff: 'For staff who have signed in.',
  admin: 'For admins who have signed in.',
  link: 'For recipients, with the token they got for the access code of a link.',
  shared: 'For staff who have signed in, and for recipients with the token they got for the access code of a link.',
}

/** `x-token`, for people. */
const scopes: Record<TokenScope, string> = {
  read: 'An API token opens it.',
  write: 'An API token of scope write opens it.',
}

function operation(tag: string, name: string, endpoint: Endpoint) {
  return {
    tags: [tag],
    operationId: `${tag}.${name}`,
    summary: endpoint.summary,
    description: [callers[endpoint.access], ...(endpoint.token ? [scopes[endpoint.token]] : [])].join(' '),
    security: endpoint.access === 'public' ? [] : [{ bearer: [] }],
    'x-access': endpoint.access,
    ...(endpoint.token && { 'x-token': endpoint.token }),
    parameters: [
      ...parameters('path', endpoint.params),
      ...parameters('query', endpoint.query),
      ...headerParameters('header', { ...endpoint.headers, ...(supportsRanges(endpoint) && rangeHeaders) }),
      ...headerParameters('cookie', endpoint.cookies),
    ],
    ...(endpoint.body && { requestBody: { required: true, ...requestBody(endpoint.body) } }),
    responses: responsesOf(endpoint),
  }
}

/** Every download answers HEAD as well, with the headers that GET would have. */
const headOperation = (tag: string, name: string, endpoint: Endpoint) => ({
  ...operation(tag, `${name}Headers`, { ...endpoint, method: 'HEAD' }),
  summary: 'The headers of the download alone',
})

const binary = { $ref: '#/components/schemas/Bytes' }

function requestBody(body: NonNullable<Endpoint['body']>) {
  if (body === 'bytes') return content('application/offset+octet-stream', binary)
  if (body !== 'multipart') return content('application/json', jsonSchema(body, 'input'))
  return content('multipart/form-data', { type: 'object', required: ['file'], properties: { file: binary } })
}

const content = (type: string, schema: unknown) => ({ content: { [type]: { schema } } })

/** Lists every code, which the contract's schema leaves open so that an older web page can read a newer server's errors. */
function problem() {
  const schema = jsonSchema(Problem, 'output')
  return { ...schema, properties: { ...schema.properties, code: { type: 'string', enum: Object.keys(errors) } } }
}

function parameters(where: 'path' | 'query', schema?: z.core.$ZodType) {
  const { properties = {}, required = [] } = schema ? jsonSchema(schema, 'input') : {}
  return Object.entries(properties).map(([name, schema]) => ({ name, in: where, required: required.includes(name), schema }))
}

const headerParameters = (where: 'header' | 'cookie', headers: Headers = {}) =>
  Object.entries(headers).map(([name, header]) => ({
    name,
    in: where,
    required: !header.optional,
    description: header.summary,
    schema: headerSchema(header),
  }))
