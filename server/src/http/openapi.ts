import { api, type Endpoint, type ErrorCode, errors, Problem } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'

export function addOpenapi(app: FastifyInstance) {
  const document = JSON.stringify(openapi())
  app.get('/openapi.json', { config: { access: 'public' } }, async (_request, reply) =>
    reply.type('application/json').send(document),
  )
}

/** The contract, printed as OpenAPI 3.1 (whose schemas are plain JSON Schema, which zod speaks). */
export function openapi() {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [tag, endpoints] of Object.entries(api)) {
    for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
      paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(tag, name, endpoint) }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Neptune',
      version: '1',
      description: 'The HTTP API of Neptune. Errors are RFC 9457 problem documents with a stable code.',
    },
    paths,
    components: {
      schemas: { Problem: output(Problem) },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'The token that sign-in answers with.' } },
    },
  }
}

function operation(tag: string, name: string, endpoint: Endpoint) {
  return {
    tags: [tag],
    operationId: `${tag}.${name}`,
    summary: endpoint.summary,
    security: endpoint.access === 'public' ? [] : [{ bearer: [] }],
    'x-access': endpoint.access,
    parameters: [...parameters('path', endpoint.params), ...parameters('query', endpoint.query)],
    ...(endpoint.body && { requestBody: { required: true, ...content('application/json', input(endpoint.body)) } }),
    responses: { ...success(endpoint), ...failures(endpoint) },
  }
}

const success = ({ reply }: Endpoint) =>
  reply === 'none'
    ? { 204: { description: 'Done.' } }
    : { 200: { description: 'OK', ...content('application/json', output(reply)) } }

/** Errors by status: what any call may answer, what the guard may, and what the endpoint itself names. */
function failures({ access, params, query, body, errors: own = [] }: Endpoint) {
  const codes: ErrorCode[] = [
    ...(params || query || body ? (['request.invalid'] as const) : []),
    ...(body ? (['request.too_large', 'request.wrong_type'] as const) : []),
    ...(access === 'public' ? [] : (['session.missing'] as const)),
    ...(access === 'admin' ? (['session.forbidden'] as const) : []),
    ...own,
    'server.failed',
    'server.stopping',
    'server.unavailable',
  ]
  const byStatus = Map.groupBy(codes, (code) => errors[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${errors[code].message}`).join('\n'),
        ...content('application/problem+json', { $ref: '#/components/schemas/Problem' }),
      },
    ]),
  )
}

const input = (schema: z.core.$ZodType) => plain(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
const output = (schema: z.core.$ZodType) => plain(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }))
const plain = ({ $schema: _, ...schema }: z.core.JSONSchema.BaseSchema) => schema
const content = (type: string, schema: unknown) => ({ content: { [type]: { schema } } })

function parameters(where: 'path' | 'query', schema?: z.core.$ZodType) {
  const { properties = {}, required = [] } = schema ? input(schema) : {}
  return Object.entries(properties).map(([name, schema]) => ({ name, in: where, required: required.includes(name), schema }))
}
