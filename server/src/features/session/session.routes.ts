import { api } from '@neptune/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Deps } from '../../deps.ts'
import { hasCookie, readCookie } from '../../http/cookies.ts'
import { isOwnScript } from '../../http/own-script.ts'
import { serve } from '../../http/serve.ts'
import { clearSessionCookie, createSessionReply, readClientDetails, sessionCookieName } from '../../http/session-reply.ts'
import { requireStaff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import {
  endAllSessions,
  endAllSessionsOfUser,
  endOwnSession,
  endSessionOfUser,
  listOwnSessions,
  listSessionsOfUser,
} from './manage-sessions.service.ts'
import { restoreSession } from './restore-session.service.ts'
import { signOut } from './session.service.ts'

export function sessionRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, api.identity.restore, async ({ request, reply }) => {
    if (!isOwnScript(request, deps.config.corsOrigins)) throw new AppError('session.missing')
    // Every browser calls this before its first sign-in: an error status would show up in its console.
    if (!hasCookie(request.headers.cookie, sessionCookieName)) return {}
    const secret = readCookie(request.headers.cookie, sessionCookieName)
    if (!secret) throw new AppError('session.missing')
    try {
      return createSessionReply(deps, reply, await restoreSession(deps, readClientDetails(request), secret))
    } catch (error) {
      if (error instanceof AppError) clearSessionCookie(deps, reply)
      throw error
    }
  })

  /** Clears the cookie, and what the browser has stored of the session. */
  const clearSession = (reply: FastifyReply) => void clearSessionCookie(deps, reply).header('clear-site-data', '"storage"')

  serve(app, api.identity.signOut, async ({ actor, reply }) => {
    await signOut(deps, requireStaff(actor))
    return clearSession(reply)
  })

  serve(app, api.identity.sessions, async ({ actor }) => ({ data: await listOwnSessions(deps, requireStaff(actor)) }))

  serve(
    app,
    api.identity.endSession,
    async ({ actor, params }) => void (await endOwnSession(deps, requireStaff(actor), params.id)),
  )

  serve(app, api.identity.endAllSessions, async ({ actor, reply }) => {
    await endAllSessions(deps, requireStaff(actor))
    return clearSession(reply)
  })

  userSessionRoutes(app, deps)
}

/** The sessions of other users, for admins. */
function userSessionRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, api.identity.sessionsOf, async ({ actor, params }) => ({
    data: await listSessionsOfUser(deps, requireStaff(actor), params.id),
  }))

  serve(
    app,
    api.identity.endSessionOf,
    async ({ actor, params }) => void (await endSessionOfUser(deps, requireStaff(actor), params.id, params.session)),
  )

  serve(
    app,
    api.identity.endAllSessionsOf,
    async ({ actor, params }) => void (await endAllSessionsOfUser(deps, requireStaff(actor), params.id)),
  )
}
