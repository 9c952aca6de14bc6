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
  serve(app, activity.list, ({ actor, query, requester }) => listActivity(deps, staffOnly(actor), { ...query, requester }))
  serve(app, activity.export, async ({ actor, body }) => ({ data: await exportTicket(deps, staffOnly(actor), body) }))
  serve(app, activity.download, async ({ params, request, requester, reply }) => {
    const { ticket } = params
    const { isGone } = requester
    const exported = await openExport(deps, { ticket, address: request.ip, isGone, isHead: request.method === 'HEAD' })
    const stream = Readable.from(exported.lines, { objectMode: false })
    stream.once('close', () => exported[Symbol.dispose]())
    reply.headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': attachment(exported.name),
      'cache-control': 'private, no-store',
    })
    return void reply.send(stream)
  })
}
