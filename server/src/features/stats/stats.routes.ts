import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { serve } from '../../http/serve.ts'
import { requireStaff } from '../../lib/actor.ts'
import { readDashboard } from './dashboard.service.ts'
import { readSetUp } from './set-up.service.ts'
import { readStats } from './stats.service.ts'

export function statsRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, api.stats.dashboard, async ({ actor, requester }) => ({
    data: await readDashboard(deps, requireStaff(actor), requester),
  }))
  serve(app, api.stats.setUp, async ({ actor }) => ({ data: await readSetUp(deps, requireStaff(actor)) }))
  serve(app, api.stats.read, async ({ actor }) => ({ data: await readStats(deps, requireStaff(actor)) }))
}
