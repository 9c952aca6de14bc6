import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { serve } from '../../http/serve.ts'
import { createSessionReply, readClientDetails } from '../../http/session-reply.ts'
import { requireStaff } from '../../lib/actor.ts'
import { confirmTotp, forgetBrowsers, listFactors, removeTotp, renewCodes, startTotp } from './factor.service.ts'
import { answerFactorReset, cancelFactorReset, checkFactorReset, requestFactorReset } from './factor-reset.service.ts'
import { completeWithCode } from './second-factor.service.ts'

export function factorRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, api.factor.signIn, async ({ body, request, reply }) =>
    createSessionReply(deps, reply, await completeWithCode(deps, readClientDetails(request), body)),
  )

  serve(app, api.factor.list, async ({ actor }) => ({ data: await listFactors(deps, requireStaff(actor)) }))

  serve(app, api.factor.startTotp, async ({ actor }) => ({ data: await startTotp(deps, requireStaff(actor)) }))

  serve(app, api.factor.confirmTotp, async ({ actor, body }) => ({
    data: await confirmTotp(deps, requireStaff(actor), body.code),
  }))

  serve(app, api.factor.removeTotp, ({ actor }) => removeTotp(deps, requireStaff(actor)))

  serve(app, api.factor.renewCodes, async ({ actor }) => ({ data: await renewCodes(deps, requireStaff(actor)) }))

  serve(app, api.factor.forgetBrowsers, ({ actor }) => forgetBrowsers(deps, requireStaff(actor)))

  serve(app, api.factor.requestReset, async ({ actor, params }) => ({
    data: await requestFactorReset(deps, requireStaff(actor), params.id),
  }))

  serve(app, api.factor.cancelReset, ({ actor, params }) => cancelFactorReset(deps, requireStaff(actor), params.id))

  serve(app, api.factor.checkReset, async ({ body }) => ({ data: await checkFactorReset(deps, body.token) }))

  serve(app, api.factor.answerReset, ({ body, request }) => answerFactorReset(deps, request.ip, body))
}
