import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { serve } from '../../http/serve.ts'
import { requireStaff } from '../../lib/actor.ts'
import { moveItems } from './move.service.ts'

export function moveRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, api.move.move, async ({ actor, body }) => ({ data: await moveItems(deps, requireStaff(actor), body) }))
}
