import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { serve } from '../../http/serve.ts'
import { staffOnly } from '../../lib/actor.ts'
import { createCompany, giveCompanyName, listVisibleCompanies } from './company.service.ts'

export function companyRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, api.company.list, ({ actor, query, requester }) =>
    listVisibleCompanies(deps, staffOnly(actor), { ...query, requester }),
  )
  serve(app, api.company.create, async ({ actor, body }) => ({
    data: await createCompany(deps, staffOnly(actor), body.name),
  }))
  serve(app, api.company.rename, async ({ actor, params, body }) => ({
    data: await giveCompanyName(deps, staffOnly(actor), params.id, body.name),
  }))
}
