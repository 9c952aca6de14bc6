import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { serve } from '../../http/serve.ts'
import { requireStaff } from '../../lib/actor.ts'
import {
  changeWebhook,
  createWebhook,
  listVisibleDeliveries,
  listVisibleWebhooks,
  removeWebhook,
  testWebhook,
} from './webhook.service.ts'

export function webhookRoutes(app: FastifyInstance, deps: Deps) {
  const { webhook } = api
  serve(app, webhook.list, ({ actor, query, requester }) =>
    listVisibleWebhooks(deps, requireStaff(actor), { ...query, requester }),
  )
  serve(app, webhook.create, async ({ actor, body }) => ({ data: await createWebhook(deps, requireStaff(actor), body) }))
  serve(app, webhook.change, async ({ actor, params, body }) => ({
    data: await changeWebhook(deps, requireStaff(actor), params.id, body),
  }))
  serve(app, webhook.remove, async ({ actor, params }) => void (await removeWebhook(deps, requireStaff(actor), params.id)))
  serve(app, webhook.test, async ({ actor, params }) => ({ data: await testWebhook(deps, requireStaff(actor), params.id) }))
  serve(app, webhook.deliveries, ({ actor, params, query, requester }) =>
    listVisibleDeliveries(deps, requireStaff(actor), params.id, { ...query, requester }),
  )
}
