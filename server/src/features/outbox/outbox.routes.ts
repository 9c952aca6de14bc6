import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { serve } from '../../http/serve.ts'
import { requireStaff } from '../../lib/actor.ts'
import { listOutbox, readMailDeliveryReply, sendAgain, sendTestMail } from './outbox.service.ts'

export function outboxRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, api.mail.way, async () => ({ data: await readMailDeliveryReply(deps) }))
  serve(app, api.mail.list, ({ query, requester }) => listOutbox(deps, { ...query, requester }))
  serve(app, api.mail.test, async ({ actor, body }) => ({ data: await sendTestMail(deps, requireStaff(actor), body.to) }))
  serve(app, api.mail.again, async ({ actor, params }) => ({ data: await sendAgain(deps, requireStaff(actor), params.id) }))
}
