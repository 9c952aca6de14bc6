import type { AccessRule, Endpoint } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import { type Actor, requireConfirmation } from '../lib/actor.ts'
import { AppError } from '../lib/app-error.ts'

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor
  }
  interface FastifyContextConfig {
    access?: AccessRule
    /** The endpoint that serve.ts bound to this route. Every API route has one. */
    endpoint?: Endpoint
  }
}

const isAllowed: Record<AccessRule, (actor: Actor) => boolean> = {
  public: () => true,
  staff: (actor) => actor.kind === 'staff',
  admin: (actor) => actor.kind === 'staff' && actor.role === 'NEPTUNE_ADMIN',
  link: (actor) => actor.kind === 'recipient',
  shared: (actor) => actor.kind === 'staff' || actor.kind === 'recipient',
}

/**
 * The error code by kind of caller. `closed` is for a recipient whose token is no longer valid, `paused` for one whose link
 * isn't available.
 */
const errorCodes = {
  anonymous: 'session.missing',
  closed: 'link.closed',
  paused: 'link.paused',
  staff: 'session.forbidden',
  recipient: 'link.forbidden',
} as const

const anonymous: Actor = { kind: 'anonymous' }

/** Returns whether an API token's scope covers the endpoint, whatever the rights of its owner. True for callers without an API token. */
function isInTokenScope(actor: Actor, endpoint: Endpoint | undefined): boolean {
  if (actor.kind !== 'staff' || !actor.token) return true
  return endpoint?.token === 'read' || (endpoint?.token === 'write' && actor.token.scope === 'write')
}

const isLinkToken = (token: string | undefined) => token?.startsWith('npl_') ?? false

/**
 * Identifies the caller and checks access, before any body is read. A route without an access rule, or an API route that is not in the
 * contract, stops the server from starting.
 */
export function addGuard(app: FastifyInstance, identify: (token: string, address: string) => Promise<Actor>) {
  app.addHook('onRoute', (route) => {
    if (!route.config?.access) throw new Error(`${route.method} ${route.url} has no access rule`)
    if (route.url.startsWith('/v1') && !route.config.endpoint)
      throw new Error(`${route.method} ${route.url} is not in the contract`)
  })
  app.decorateRequest('actor')
  app.addHook('onRequest', async (request) => {
    const access = request.is404 ? 'public' : (request.routeOptions.config.access ?? 'admin')
    const needsActor = access !== 'public' || request.routeOptions.config.endpoint?.identifiesCaller
    const token = needsActor ? readBearerToken(request.raw.rawHeaders) : undefined
    const actor = token ? await identify(token, request.ip) : anonymous
    const isInScope = isInTokenScope(actor, request.routeOptions.config.endpoint)
    request.actor = access === 'public' && (!isInScope || isEnrolling(actor)) ? anonymous : actor
    if (!isInScope && access !== 'public') throw new AppError('token.forbidden')
    if (isAllowed[access](request.actor)) return requireProof(request.actor, request.routeOptions.config.endpoint)
    throw new AppError(errorCodes[getCallerKind(request.actor, token)])
  })
}

const isEnrolling = (actor: Actor) => actor.kind === 'staff' && actor.mustEnroll === true

/** Throws if the caller must first set up a second factor or confirm their identity. */
function requireProof(actor: Actor, endpoint: Endpoint | undefined) {
  if (isEnrolling(actor) && !endpoint?.isForEnrollment) throw new AppError('session.factor_required')
  if (endpoint?.isSensitive && actor.kind === 'staff') requireConfirmation(actor)
}

function getCallerKind(actor: Actor, token: string | undefined): keyof typeof errorCodes {
  if (actor.kind !== 'anonymous' || !isLinkToken(token)) return actor.kind
  return actor.isPaused ? 'paused' : 'closed'
}

/** Reads the bearer token. Ignores repeated headers, because a proxy and this server might each trust a different one. */
function readBearerToken(rawHeaders: string[]): string | undefined {
  const values = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === 'authorization')
  return values.length === 1 ? /^Bearer ([\w-]{20,100})$/i.exec(values[0] ?? '')?.[1] : undefined
}
