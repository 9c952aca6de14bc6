import { api } from '@neptune/contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { serve } from '../../http/serve.ts'
import { createSessionReply, readClientDetails } from '../../http/session-reply.ts'
import { requireStaff } from '../../lib/actor.ts'
import { acceptInvitation, checkInvitation } from './accept-invitation.service.ts'
import { changePassword, confirmIdentity, readCurrentUser, signIn } from './identity.service.ts'
import { signInWithOperatorLink } from './operator-link.service.ts'
import { changeOwnDetails, changeOwnLanguage } from './own-details.service.ts'
import { checkReset, createReset, requestReset, resetPassword } from './reset.service.ts'

export function identityRoutes(app: FastifyInstance, deps: Deps) {
  for (const endpoint of [api.identity.login, api.identity.userIdentity]) {
    serve(app, endpoint, async ({ body, request, reply }) =>
      createSessionReply(deps, reply, await signIn(deps, readClientDetails(request), body)),
    )
  }

  serve(app, api.identity.operatorLink, async ({ body, request, reply }) =>
    createSessionReply(deps, reply, await signInWithOperatorLink(deps, readClientDetails(request), body.token)),
  )

  emailLinkRoutes(app, deps)

  serve(app, api.identity.current, async ({ actor }) => ({ data: await readCurrentUser(deps, requireStaff(actor)) }))

  serve(app, api.identity.change, async ({ actor, body }) => ({ data: await changeOwnDetails(deps, requireStaff(actor), body) }))

  serve(app, api.identity.changeLanguage, async ({ actor, body }) => ({
    data: await changeOwnLanguage(deps, requireStaff(actor), body.language),
  }))

  serve(app, api.identity.changePassword, async ({ actor, body, request, reply }) =>
    createSessionReply(deps, reply, await changePassword(deps, readClientDetails(request), requireStaff(actor), body)),
  )

  serve(app, api.factor.confirm, async ({ actor, body }) => void (await confirmIdentity(deps, requireStaff(actor), body)))
}

/** Password resets and invitations, whose links are sent by email. */
function emailLinkRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, api.identity.forgot, async ({ body, request }) => void (await requestReset(deps, request.ip, body.email)))

  serve(app, api.identity.createReset, async ({ actor, params }) => ({
    data: await createReset(deps, requireStaff(actor), params.id),
  }))

  serve(app, api.identity.checkReset, async ({ body }) => ({ data: await checkReset(deps, body.token) }))

  serve(app, api.identity.reset, async ({ body, request }) => void (await resetPassword(deps, request.ip, body)))

  serve(app, api.identity.checkInvitation, async ({ body, request }) => ({
    data: await checkInvitation(deps, request.ip, body.token),
  }))

  serve(app, api.identity.acceptInvitation, async ({ body, request, reply }) =>
    createSessionReply(deps, reply, await acceptInvitation(deps, readClientDetails(request), body)),
  )
}
