import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { createReplyAbortSignal } from '../../http/connection/abort-signals.ts'
import { serve } from '../../http/serve.ts'
import { requireStaff } from '../../lib/actor.ts'
import { copyItems } from './copy.service.ts'

export function copyRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, api.copy.copy, async ({ actor, body, reply }) => ({
    data: await copyItems(deps, requireStaff(actor), body, createReplyAbortSignal(reply)),
  }))
}
