import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { serve } from '../../http/serve.ts'
import { staffOnly } from '../../lib/actor.ts'
import { changeUser } from './details.service.ts'
import { changeRole, createUser, listVisibleUsers, restoreUser, suspendUser } from './user.service.ts'

export function userRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, api.user.list, ({ actor, query, requester }) => listVisibleUsers(deps, staffOnly(actor), { ...query, requester }))
  serve(app, api.user.create, async ({ actor, body }) => ({ data: await createUser(deps, staffOnly(actor), body) }))
  serve(app, api.user.change, async ({ actor, params, body }) => ({
    data: await changeUser(deps, staffOnly(actor), params.id, body),
  }))
  serve(app, api.user.changeRole, async ({ actor, body }) => ({ data: await changeRole(deps, staffOnly(actor), body) }))
  serve(app, api.user.suspend, async ({ actor, params }) => ({ data: await suspendUser(deps, staffOnly(actor), params.id) }))
  serve(app, api.user.restore, async ({ actor, params }) => ({ data: await restoreUser(deps, staffOnly(actor), params.id) }))
}
