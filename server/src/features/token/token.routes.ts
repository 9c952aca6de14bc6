import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { serve } from '../../http/serve.ts'
import { staffOnly } from '../../lib/actor.ts'
import { createToken, ownTokens, revokeToken, revokeTokenOf, tokensOf } from './token.service.ts'

export function tokenRoutes(app: FastifyInstance, deps: Deps) {
  const { token } = api
  serve(app, token.list, async ({ actor }) => ({ data: await ownTokens(deps, staffOnly(actor)) }))
  serve(app, token.create, async ({ actor, body }) => ({ data: await createToken(deps, staffOnly(actor), body) }))
  serve(app, token.revoke, async ({ actor, params }) => void (await revokeToken(deps, staffOnly(actor), params.id)))
  serve(app, token.listOf, async ({ params }) => ({ data: await tokensOf(deps, params.id) }))
  serve(
    app,
    token.revokeOf,
    async ({ actor, params }) => void (await revokeTokenOf(deps, staffOnly(actor), params.id, params.token)),
  )
}
