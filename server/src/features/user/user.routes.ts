import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { serve } from '../../http/serve.ts'
import { requireStaff } from '../../lib/actor.ts'
import { createUser } from './create-user.service.ts'
import { changeUser } from './details.service.ts'
import { resendInvitation, revokeInvitation } from './invitation.service.ts'
import { changeAccess, changeRole, listVisibleUsers, readUser, restoreUser, suspendUser } from './user.service.ts'

export function userRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, api.user.list, ({ actor, query, requester }) => listVisibleUsers(deps, requireStaff(actor), { ...query, requester }))
  serve(app, api.user.create, ({ actor, body }) => createUser(deps, requireStaff(actor), body))
  serve(app, api.user.read, async ({ actor, params }) => ({ data: await readUser(deps, requireStaff(actor), params.id) }))
  serve(app, api.user.invite, ({ actor, params }) => resendInvitation(deps, requireStaff(actor), params.id))
  serve(app, api.user.revokeInvitation, ({ actor, params }) => revokeInvitation(deps, requireStaff(actor), params.id))
  serve(app, api.user.change, async ({ actor, params, body }) => ({
    data: await changeUser(deps, requireStaff(actor), params.id, body),
  }))
  serve(app, api.user.changeRole, async ({ actor, body }) => ({ data: await changeRole(deps, requireStaff(actor), body) }))
  serve(app, api.user.changeAccess, async ({ actor, params, body }) => ({
    data: await changeAccess(deps, requireStaff(actor), params.id, body),
  }))
  serve(app, api.user.suspend, async ({ actor, params }) => ({ data: await suspendUser(deps, requireStaff(actor), params.id) }))
  serve(app, api.user.restore, async ({ actor, params }) => ({ data: await restoreUser(deps, requireStaff(actor), params.id) }))
}
