import type { Endpoint, Parsed, Reply } from '@neptune/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { Actor } from '../lib/actor.ts'
import { AppError } from '../lib/app-error.ts'
import type { Requester } from '../lib/scan.ts'
import { shapeOf } from './reply-shape.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The most rows that a list reads for one reply. */
    maxScannedRows: number
  }
}

type Handler<E extends Endpoint> = (
  call: Parsed<E> & { actor: Actor; requester: Requester; request: FastifyRequest; reply: FastifyReply },
) => Promise<Reply<E>>

/** Binds one endpoint of the contract to its handler: path, access, validation and reply shape all come from the contract. */
export function serve<const E extends Endpoint>(app: FastifyInstance, endpoint: E, handler: Handler<E>) {
  const shape = typeof endpoint.reply === 'string' ? undefined : shapeOf(endpoint.reply)
  app.route({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { access: endpoint.access, endpoint },
    async handler(request, reply) {
      const call = {
        params: read(endpoint.params, request.params),
        query: read(endpoint.query, withoutRepeats(request.query)),
        body: isStreamed(endpoint)
          ? undefined
          : read((endpoint.body ?? nothing) as z.core.$ZodType, request.body ?? (endpoint.body ? undefined : {})),
        actor: request.actor,
        get requester() {
          return requesterOf(request)
        },
        request,
        reply,
      }
      const result = await handler(call as never)
      if (endpoint.reply === 'empty' || endpoint.reply === 'bytes') return reply
      return shape ? shape(result) : reply.code(204).send()
    },
  })
}

const requesterOf = ({ actor, raw, server }: FastifyRequest): Requester => ({
  ...callerOf(actor),
  isGone: () => raw.socket?.destroyed ?? false,
  maxRows: server.maxScannedRows,
})

function callerOf(actor: Actor): Pick<Requester, 'id' | 'group'> {
  if (actor.kind === 'staff') return { id: actor.userId, group: `staff ${actor.companyId}` }
  if (actor.kind === 'recipient') return { id: `link ${actor.link.key} ${actor.client}`, group: `links ${actor.link.companyId}` }
  return { id: 'anonymous', group: 'anonymous' }
}

const isStreamed = ({ body }: Endpoint): boolean => typeof body === 'string'

/** An endpoint without a body takes none: fields sent to it are refused by name, like any unknown field. */
const nothing = z.strictObject({})

/** A parameter given twice is refused, asked for or not: two readers could each believe another one. */
function withoutRepeats(query: unknown) {
  const repeated = Object.entries(query as object).filter(([, value]) => Array.isArray(value))
  if (repeated.length > 0) {
    throw new AppError('request.invalid', { fields: repeated.map(([field]) => ({ field, message: 'This is given twice.' })) })
  }
  return query
}

function read(schema: z.core.$ZodType | undefined, value: unknown) {
  if (!schema) return undefined
  const { data, error } = z.safeParse(schema, value)
  if (error) throw new AppError('request.invalid', { fields: error.issues.flatMap(faultOf).slice(0, faultsTold) })
  return data
}

/** Enough for any form; a body of nothing but faults must not make a larger answer. */
const faultsTold = 50

function faultOf(issue: z.core.$ZodIssue) {
  const path = issue.path.join('.')
  if (issue.code !== 'unrecognized_keys') return [{ field: path, message: issue.message }]
  return issue.keys
    .slice(0, faultsTold)
    .map((key) => key.slice(0, 100))
    .map((key) => ({ field: path ? `${path}.${key}` : key, message: 'There is no such field.' }))
}
