import { api, type Endpoint, errors, type HeaderDescriptions, Problem, type TokenScope } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { describeResponses, rangeHeaders, supportsRanges, toHeaderSchema, toJsonSchema } from './openapi-responses.ts'

/** Serves the OpenAPI document, generated on the first request: it takes a while, and most processes never need it. */
export function addOpenapi(app: FastifyInstance) {
  let document: string | undefined
  app.get('/openapi.json', { config: { access: 'public' } }, async (_request, reply) => {
    document ??= JSON.stringify(buildOpenapi())
    return reply.type('application/json').send(document)
  })
}

/** Returns the contract as OpenAPI 3.1, whose schemas are plain JSON Schema, which zod writes. */
export function buildOpenapi() {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const tag of Object.keys(tags) as (keyof typeof api)[]) {
    for (const [name, endpoint] of Object.entries<Endpoint>(api[tag])) {
      paths[endpoint.path] = {
        ...paths[endpoint.path],
        [endpoint.method.toLowerCase()]: describeOperation(tag, name, endpoint),
        ...(endpoint.reply === 'bytes' && { head: describeHead(tag, name, endpoint) }),
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
    servers: [{ url: '/', description: 'The server that returned this document.' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { Problem: describeProblem(), Bytes: { description: 'Raw bytes.' } },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The token returned by sign-in, or an API token.' },
      },
    },
  }
}

/** Descriptions of the tags, in the order of the document. */
const tags: Record<keyof typeof api, string> = {
  identity: 'Sign-in and sign-out, your own sessions and password.',
  factor: 'Second factors: authenticator apps and recovery codes.',
  passkey: 'Passkeys (WebAuthn), to sign in with and to confirm who you are.',
  sso: 'Signing in with a provider (OpenID Connect).',
  provider: 'Single sign-on: providers, and the accounts that people have there.',
  company: 'Companies, which have staff and directories.',
  user: 'Staff accounts and their roles.',
  settings: 'Settings of the organisation.',
  brand: 'Logos of the organisation and of companies.',
  mail: 'Emails and their delivery.',
  directory: 'Directories of files, and folders in them.',
  file: 'Files: upload, list, download, trash and restore.',
  move: 'Moving files and folders.',
  version: 'Versions of files: list, restore, delete.',
  copy: 'Copies of files and folders.',
  upload: 'Resumable uploads (tus 1.0).',
  link: 'Shareable links.',
  access: 'Calls for recipients of a link.',
  receipt: 'Signed receipts for uploads by recipients.',
  token: 'API tokens for scripts.',
  webhook: 'Webhooks: signed notifications to other programs.',
  stats: 'The dashboard, and totals.',
  activity: 'The audit log.',
  live: 'Notices of changes.',
}

/** Descriptions of `x-access`. */
const callers: Record<Endpoint['access'], string> = {
  public: 'Anyone may call this.',
  staff: 'For signed-in staff.',
  admin: 'For signed-in admins.',
  link: 'For recipients, with the token they got for the access code of a link.',
  shared: 'For signed-in staff, and for recipients with the token they got for the access code of a link.',
}

/** Descriptions of `x-token`. */
const scopes: Record<TokenScope, string> = {
  read: 'Accepts API tokens.',
  write: 'Accepts API tokens with the scope `write`.',
}

function describeOperation(tag: string, name: string, endpoint: Endpoint) {
  return {
    tags: [tag],
    operationId: `${tag}.${name}`,
    summary: endpoint.summary,
    description: [callers[endpoint.access], ...(endpoint.token ? [scopes[endpoint.token]] : [])].join(' '),
    security: endpoint.access === 'public' ? [] : [{ bearer: [] }],
    'x-access': endpoint.access,
    ...(endpoint.token && { 'x-token': endpoint.token }),
    parameters: [
      ...describeParameters('path', endpoint.params),
      ...describeParameters('query', endpoint.query),
      ...describeHeaderParameters('header', { ...endpoint.headers, ...(supportsRanges(endpoint) && rangeHeaders) }),
      ...describeHeaderParameters('cookie', endpoint.cookies),
    ],
    ...(endpoint.body && { requestBody: { required: !isOptional(endpoint.body), ...describeBody(endpoint.body) } }),
    responses: describeResponses(endpoint),
  }
}

/** Describes HEAD, which every download supports. */
const describeHead = (tag: string, name: string, endpoint: Endpoint) => ({
  ...describeOperation(tag, `${name}Headers`, { ...endpoint, method: 'HEAD' }),
  summary: 'The headers of the download, without its bytes',
})

const binary = { $ref: '#/components/schemas/Bytes' }

const isOptional = (body: NonNullable<Endpoint['body']>) => typeof body !== 'string' && z.safeParse(body, undefined).success

function describeBody(body: NonNullable<Endpoint['body']>) {
  if (body === 'bytes') return describeContent('application/offset+octet-stream', binary)
  if (body === 'file') return describeContent('application/octet-stream', binary)
  if (body === 'form') return describeContent('application/x-www-form-urlencoded', { type: 'object' })
  if (body !== 'multipart') return describeContent('application/json', toJsonSchema(body, 'input'))
  return describeContent('multipart/form-data', { type: 'object', required: ['file'], properties: { file: binary } })
}

const describeContent = (type: string, schema: unknown) => ({ content: { [type]: { schema } } })

/** Lists every code, which the contract's schema leaves open so that an older web page can read a newer server's errors. */
function describeProblem() {
  const schema = toJsonSchema(Problem, 'output')
  return { ...schema, properties: { ...schema.properties, code: { type: 'string', enum: Object.keys(errors) } } }
}

function describeParameters(location: 'path' | 'query', schema?: z.core.$ZodType) {
  const { properties = {}, required = [] } = schema ? toJsonSchema(schema, 'input') : {}
  return Object.entries(properties).map(([name, schema]) => ({ name, in: location, required: required.includes(name), schema }))
}

const describeHeaderParameters = (location: 'header' | 'cookie', headers: HeaderDescriptions = {}) =>
  Object.entries(headers).map(([name, header]) => ({
    name,
    in: location,
    required: !header.optional,
    description: header.summary,
    schema: toHeaderSchema(header),
  }))
