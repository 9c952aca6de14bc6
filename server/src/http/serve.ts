import type { Endpoint, Parsed, Reply } from '@neptune/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { Actor } from '../lib/actor.ts'
import { AppError } from '../lib/app-error.ts'
import type { Requester } from '../lib/concurrency/scan.ts'
import { createCursorError } from '../lib/cursor-error.ts'
import { seal, unseal } from '../lib/secrets.ts'
import { createReplyFilter } from './openapi/reply-filter.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The maximum number of rows that a list reads for one reply. */
    maxScannedRows: number
    cursorKey: Buffer
  }
}

type Handler<E extends Endpoint> = (
  call: Parsed<E> & { actor: Actor; requester: Requester; request: FastifyRequest; reply: FastifyReply },
) => Promise<Reply<E>>

/** Binds one endpoint of the contract to its handler: path, access, validation and reply shape all come from the contract. */
export function serve<const E extends Endpoint>(app: FastifyInstance, endpoint: E, handler: Handler<E>) {
  const filterReply = typeof endpoint.reply === 'string' ? undefined : createReplyFilter(endpoint.reply)
  app.route({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { access: endpoint.access, endpoint },
    async handler(request, reply) {
      const call = {
        params: parse(endpoint.params, request.params),
        query: unsealCursor(request, parse(endpoint.query, rejectRepeats(request.query))),
        body: isStreamed(endpoint)
          ? undefined
          : parse((endpoint.body ?? noBody) as z.core.$ZodType, request.body ?? (endpoint.body ? undefined : {})),
        actor: request.actor,
        get requester() {
          return toRequester(request)
        },
        request,
        reply,
      }
      const result = await handler(call as never)
      if (sentByHandler.includes(endpoint.reply)) return reply
      return filterReply ? filterReply(sealCursor(request, result)) : reply.code(204).send()
    },
  })
}

/**
 * Encrypts the cursor of the next page, which may contain values of a row that the caller must not see. It works only for the same
 * route and caller; ids in the path and filters are not part of it.
 */
function sealCursor<Result>(request: FastifyRequest, result: Result): Result {
  const { next } = result as { next?: string | null }
  // Padded, because the length of a name is not hidden by encryption. Readers of a cursor ignore spaces at its end.
  const padded = next && next + ' '.repeat(cursorStep - (Buffer.byteLength(next) % cursorStep))
  return padded ? { ...result, next: seal(request.server.cursorKey, describeList(request), padded) } : result
}

const cursorStep = 64

/** Decrypts the cursor in a query. Throws if it was created for another route or caller. */
function unsealCursor<Query>(request: FastifyRequest, query: Query): Query {
  const { cursor } = (query ?? {}) as { cursor?: string }
  if (!cursor) return query
  try {
    return { ...query, cursor: unseal(request.server.cursorKey, describeList(request), cursor) }
  } catch {
    throw createCursorError()
  }
}

/** Identifies the route of the list and its caller. Leaves out the IP address of a recipient, which may change between two pages. */
const describeList = ({ actor, routeOptions: { url } }: FastifyRequest) =>
  `${url} ${actor.kind === 'recipient' ? actor.link.key : identifyCaller(actor).id}`

const toRequester = ({ actor, raw, server }: FastifyRequest): Requester => ({
  ...identifyCaller(actor),
  isGone: () => raw.socket?.destroyed ?? false,
  maxRows: server.maxScannedRows,
})

function identifyCaller(actor: Actor): Pick<Requester, 'id' | 'group'> {
  if (actor.kind === 'staff') return { id: actor.userId, group: `staff ${actor.companyId}` }
  if (actor.kind === 'recipient') return { id: `link ${actor.link.key} ${actor.client}`, group: `links ${actor.link.companyId}` }
  return { id: 'anonymous', group: 'anonymous' }
}

/** The kinds of replies that handlers send themselves. */
const sentByHandler: unknown[] = ['empty', 'redirect', 'events', 'bytes']

const isStreamed = ({ body }: Endpoint): boolean => typeof body === 'string'

/** Rejects fields sent to an endpoint without a body as unknown fields. */
const noBody = z.strictObject({})

/** Rejects parameters that were sent more than once, because a proxy and this server could each trust a different one. */
function rejectRepeats(query: unknown) {
  const repeated = Object.entries(query as object).filter(([, value]) => Array.isArray(value))
  if (repeated.length > 0) {
    throw new AppError('request.invalid', {
      fields: repeated.map(([field]) => ({ field, message: 'This parameter was sent more than once.' })),
    })
  }
  return query
}

function parse(schema: z.core.$ZodType | undefined, value: unknown) {
  if (!schema) return undefined
  const { data, error } = z.safeParse(schema, value)
  if (error) throw new AppError('request.invalid', { fields: error.issues.flatMap(toFieldErrors).slice(0, maxFieldErrors) })
  return data
}

/** Enough for any form. Keeps the reply small when a body has thousands of invalid fields. */
const maxFieldErrors = 50

function toFieldErrors(issue: z.core.$ZodIssue) {
  const path = issue.path.join('.')
  if (issue.code !== 'unrecognized_keys') return [{ field: path, message: issue.message }]
  return issue.keys
    .slice(0, maxFieldErrors)
    .map((key) => key.slice(0, 100))
    .map((key) => ({ field: path ? `${path}.${key}` : key, message: 'There is no such field.' }))
}
