import { Readable } from 'node:stream'
import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { serve } from '../../http/serve.ts'
import { staffOnly } from '../../lib/actor.ts'
import { attachment } from '../../lib/content-disposition.ts'
import { exportTicket, listActivity, openExport } from './activity.service.ts'

export function activityRoutes(app: FastifyInstance, deps: Deps) {
  const { activity } = api
  serve(app, activity.list, ({ actor, query }) => listActivity(deps, staffOnly(actor), query))
  serve(app, activity.export, async ({ actor, body }) => ({ data: await exportTicket(deps, staffOnly(actor), body) }))
  serve(app, activity.download, async ({ params, request, reply }) => {
    const { name, lines } = await openExport(deps, params.ticket, request.ip)
    reply.headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': attachment(name),
      'cache-control': 'private, no-store',
    })
    return void reply.send(Readable.from(lines, { objectMode: false }))
  })
}
