import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { serve } from '../../http/serve.ts'
import { requireStaff } from '../../lib/actor.ts'
import { changeCompanyName, createCompany, listVisibleCompanies } from './company.service.ts'

export function companyRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, api.company.list, ({ actor, query, requester }) =>
    listVisibleCompanies(deps, requireStaff(actor), { ...query, requester }),
  )
  serve(app, api.company.create, async ({ actor, body }) => ({
    data: await createCompany(deps, requireStaff(actor), body.name),
  }))
  serve(app, api.company.rename, async ({ actor, params, body }) => ({
    data: await changeCompanyName(deps, requireStaff(actor), params.id, body.name),
  }))
}
