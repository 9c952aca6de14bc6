import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { serve } from '../../http/serve.ts'
import { requireStaff } from '../../lib/actor.ts'
import { previewLink, verifyCode } from './visit.service.ts'

export function visitRoutes(app: FastifyInstance, deps: Deps) {
  const { link } = api
  serve(app, link.verify, async ({ body, request }) => ({ data: await verifyCode(deps, request.ip, body) }))
  serve(app, link.preview, async ({ actor, params, request }) => ({
    data: await previewLink(deps, requireStaff(actor), request.ip, params.key),
  }))
}
