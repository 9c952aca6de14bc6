import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { serve } from '../../http/serve.ts'
import { requireStaff } from '../../lib/actor.ts'
import { archiveCompany, restoreCompany } from './archive-company.service.ts'
import { changeCompany, createCompany, listCompanyRows, listVisibleCompanies, readCompany } from './company.service.ts'

export function companyRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, api.company.list, ({ actor, query, requester }) =>
    listVisibleCompanies(deps, requireStaff(actor), { ...query, requester }),
  )
  serve(app, api.company.overview, ({ actor, query, requester }) =>
    listCompanyRows(deps, requireStaff(actor), { ...query, requester }),
  )
  serve(app, api.company.read, async ({ actor, params }) => ({
    data: await readCompany(deps, requireStaff(actor), params.id),
  }))
  serve(app, api.company.create, async ({ actor, body }) => ({
    data: await createCompany(deps, requireStaff(actor), body.name),
  }))
  serve(app, api.company.change, async ({ actor, params, body }) => ({
    data: await changeCompany(deps, requireStaff(actor), params.id, body),
  }))
  serve(app, api.company.archive, async ({ actor, params }) => ({
    data: await archiveCompany(deps, requireStaff(actor), params.id),
  }))
  serve(app, api.company.restore, async ({ actor, params }) => ({
    data: await restoreCompany(deps, requireStaff(actor), params.id),
  }))
}
