import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { serve } from '../../http/serve.ts'
import { requireStaff } from '../../lib/actor.ts'
import { createToken, listOwnTokens, listTokensOfUser, revokeToken, revokeTokenOfUser } from './token.service.ts'

export function tokenRoutes(app: FastifyInstance, deps: Deps) {
  const { token } = api
  serve(app, token.list, async ({ actor }) => ({ data: await listOwnTokens(deps, requireStaff(actor)) }))
  serve(app, token.create, async ({ actor, body }) => ({ data: await createToken(deps, requireStaff(actor), body) }))
  serve(app, token.revoke, async ({ actor, params }) => void (await revokeToken(deps, requireStaff(actor), params.id)))
  serve(app, token.listOf, async ({ params }) => ({ data: await listTokensOfUser(deps, params.id) }))
  serve(
    app,
    token.revokeOf,
    async ({ actor, params }) => void (await revokeTokenOfUser(deps, requireStaff(actor), params.id, params.token)),
  )
}
