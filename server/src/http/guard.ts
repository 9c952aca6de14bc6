import type { AccessRule, Endpoint } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Actor } from '../lib/actor.ts'
import { AppError } from '../lib/app-error.ts'

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor
  }
  interface FastifyContextConfig {
    access?: AccessRule
    /** What serve.ts bound; every route of the API has one. */
    endpoint?: Endpoint
  }
}

const allows: Record<AccessRule, (actor: Actor) => boolean> = {
  public: () => true,
  staff: (actor) => actor.kind === 'staff',
  admin: (actor) => actor.kind === 'staff' && actor.role === 'NEPTUNE_ADMIN',
  link: (actor) => actor.kind === 'recipient',
  shared: (actor) => actor.kind === 'staff' || actor.kind === 'recipient',
}

const refusals = {
  anonymous: 'session.missing',
  closed: 'link.closed',
  staff: 'session.forbidden',
  recipient: 'link.forbidden',
} as const

const nobody: Actor = { kind: 'anonymous' }

/** An API token opens what the contract names for its scope, and nothing else, whatever its owner may do. */
function opens(actor: Actor, endpoint: Endpoint | undefined): boolean {
  if (actor.kind !== 'staff' || !actor.token) return true
  return endpoint?.token === 'read' || (endpoint?.token === 'write' && actor.token.scope === 'write')
}

const isLinkToken = (token: string | undefined) => token?.startsWith('npl_') ?? false

/**
 * Decides who is calling and whether the route lets them in, before any body is read.
 * A route that does not say who may call it, or an address of the API that the contract does not know, stops the server from
 * starting: what is forgotten there is found at once.
 */
export function addGuard(app: FastifyInstance, identify: (token: string, address: string) => Promise<Actor>) {
  app.addHook('onRoute', (route) => {
    if (!route.config?.access) throw new Error(`${route.method} ${route.url} does not say who may call it`)
    if (route.url.startsWith('/v1') && !route.config.endpoint)
      throw new Error(`${route.method} ${route.url} is not in the contract`)
  })
  app.decorateRequest('actor')
  app.addHook('onRequest', async (request) => {
    const access = request.is404 ? 'public' : (request.routeOptions.config.access ?? 'admin')
    const isAsked = access !== 'public' || request.routeOptions.config.endpoint?.identifies
    const token = isAsked ? bearerOf(request.raw.rawHeaders) : undefined
    const actor = token ? await identify(token, request.ip) : nobody
    const isScoped = opens(actor, request.routeOptions.config.endpoint)
    request.actor = access === 'public' && !isScoped ? nobody : actor
    if (!isScoped && access !== 'public') throw new AppError('token.forbidden')
    if (allows[access](request.actor)) return
    throw new AppError(refusals[request.actor.kind === 'anonymous' && isLinkToken(token) ? 'closed' : request.actor.kind])
  })
}

/** One header, one token. Two headers are refused, because a proxy and we might each believe another one. */
function bearerOf(rawHeaders: string[]): string | undefined {
  const values = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === 'authorization')
  return values.length === 1 ? /^Bearer ([\w-]{20,100})$/i.exec(values[0] ?? '')?.[1] : undefined
}
