import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { serve } from '../../http/serve.ts'
import { staffOnly } from '../../lib/actor.ts'
import { createCompany, giveCompanyName, listVisibleCompanies } from './company.service.ts'

export function companyRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, api.company.list, ({ actor, query }) => listVisibleCompanies(deps, staffOnly(actor), query))
  serve(app, api.company.create, async ({ body }) => ({ data: await createCompany(deps, body.name) }))
  serve(app, api.company.rename, async ({ params, body }) => ({ data: await giveCompanyName(deps, params.id, body.name) }))
}
