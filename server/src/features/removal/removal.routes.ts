import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { serve } from '../../http/serve.ts'
import { requireStaff } from '../../lib/actor.ts'
import { readRemoval, removeUser } from './removal.service.ts'
import { listSuccessors } from './successor.service.ts'

export function removalRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, api.user.removal, async ({ params }) => ({ data: await readRemoval(deps, params.id) }))
  serve(app, api.user.successors, ({ params, body, query, requester }) =>
    listSuccessors(deps, params.id, body, { ...query, requester }),
  )
  serve(
    app,
    api.user.remove,
    async ({ actor, params, body }) => void (await removeUser(deps, requireStaff(actor), params.id, body)),
  )
}
