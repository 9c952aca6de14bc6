import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { sendExport } from '../../http/send-export.ts'
import { serve } from '../../http/serve.ts'
import { requireStaff } from '../../lib/actor.ts'
import { createExportTicket, listActivity, openExport } from './activity.service.ts'

export function activityRoutes(app: FastifyInstance, deps: Deps) {
  const { activity } = api
  serve(app, activity.list, ({ actor, query, requester }) => listActivity(deps, requireStaff(actor), { ...query, requester }))
  serve(app, activity.export, async ({ actor, body }) => ({ data: await createExportTicket(deps, requireStaff(actor), body) }))
  serve(app, activity.download, async ({ params, request, requester, reply }) => {
    const { ticket } = params
    const { isGone } = requester
    const exported = await openExport(deps, { ticket, address: request.ip, isGone, isHead: request.method === 'HEAD' })
    return sendExport(reply, exported)
  })
}
