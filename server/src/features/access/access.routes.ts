import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { serve } from '../../http/serve.ts'
import { requireRecipient, requireStaff } from '../../lib/actor.ts'
import { previewLink, verifyCode } from './access.service.ts'
import { readAccess } from './recipient-view.service.ts'

export function accessRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, api.access.verify, async ({ body, request }) => ({ data: await verifyCode(deps, request.ip, body) }))
  serve(app, api.link.preview, async ({ actor, params, request }) => ({
    data: await previewLink(deps, requireStaff(actor), request.ip, params.key),
  }))
  serve(app, api.access.read, async ({ actor }) => ({ data: await readAccess(deps, requireRecipient(actor)) }))
}
