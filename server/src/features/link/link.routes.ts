import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { serve } from '../../http/serve.ts'
import { requireStaff } from '../../lib/actor.ts'
import { listAffectedLinks } from './affected-links.service.ts'
import { answerAsk, askOwner, listVisibleAsks } from './ask.service.ts'
import { extendLink } from './extend.service.ts'
import { handOverLinks } from './handover.service.ts'
import { createLink, initialiseLink, listLinkActivity, listVisibleLinks, readLinkInfo, removeLinks } from './link.service.ts'
import { resetLink, showCode } from './link-code.service.ts'
import { sendLink } from './send-link.service.ts'

export function linkRoutes(app: FastifyInstance, deps: Deps) {
  const { link } = api
  serve(app, link.list, ({ actor, query, requester }) => listVisibleLinks(deps, requireStaff(actor), { ...query, requester }))
  serve(app, link.affected, async ({ actor, body }) => ({ data: await listAffectedLinks(deps, requireStaff(actor), body) }))
  serve(app, link.initialise, async ({ actor, body }) => ({ data: await initialiseLink(deps, requireStaff(actor), body) }))
  serve(app, link.create, async ({ actor, body }) => ({ data: await createLink(deps, requireStaff(actor), body) }))
  serve(app, link.reset, async ({ actor, body }) => ({ data: await resetLink(deps, requireStaff(actor), body) }))
  serve(app, link.email, ({ actor, body, request }) => sendLink(deps, requireStaff(actor), request.ip, body))
  serve(app, link.remove, async ({ actor, params }) => void (await removeLinks(deps, requireStaff(actor), [params.key])))
  serve(app, link.removeMany, async ({ actor, body }) => void (await removeLinks(deps, requireStaff(actor), body.keys)))
  serve(app, link.code, async ({ actor, params }) => ({ data: await showCode(deps, requireStaff(actor), params.key) }))
  serve(app, link.extend, async ({ actor, params, body }) => ({
    data: await extendLink(deps, requireStaff(actor), params.key, body.expiry),
  }))
  serve(app, link.handOver, async ({ actor, params, body }) => ({
    data: { links: await handOverLinks(deps, requireStaff(actor), { from: params.id, ...body }) },
  }))
  serve(app, link.activity, ({ actor, params, query, requester }) =>
    listLinkActivity(deps, requireStaff(actor), params.key, { ...query, requester }),
  )

  serve(app, api.access.info, async ({ actor, params }) => ({ data: await readLinkInfo(deps, actor, params.id) }))

  serve(app, api.access.ask, async ({ body, request }) => void (await askOwner(deps, request.ip, body)))
  serve(app, link.asks, async ({ actor }) => ({ data: await listVisibleAsks(deps, requireStaff(actor)) }))
  serve(app, link.answer, async ({ actor, params, body }) => ({
    data: await answerAsk(deps, requireStaff(actor), params.id, body),
  }))
}
