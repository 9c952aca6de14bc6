import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { serve } from '../../http/serve.ts'
import { requireRecipient, requireStaff } from '../../lib/actor.ts'
import { issueReceipt, listLinkReceipts, readReceipt, sendReceipt } from './receipt.service.ts'

export function receiptRoutes(app: FastifyInstance, deps: Deps) {
  const { receipt } = api
  serve(app, receipt.issue, async ({ actor, body }) => ({ data: await issueReceipt(deps, requireRecipient(actor), body.files) }))
  serve(app, receipt.read, async ({ params, reply }) => {
    reply.header('x-robots-tag', 'noindex')
    return { data: await readReceipt(deps, params.id) }
  })
  serve(app, receipt.send, ({ actor, params, body }) => sendReceipt(deps, requireRecipient(actor), params.id, body))
  serve(app, receipt.list, async ({ actor, params }) => ({
    data: await listLinkReceipts(deps, requireStaff(actor), params.key),
  }))
}
