import { api } from '@neptune/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { hasCookie, readCookie, writeCookie } from '../../http/cookies.ts'
import { serve } from '../../http/serve.ts'
import { requireStaff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { acceptInvitation, checkInvitation } from './accept-invitation.service.ts'
import { changePassword, readCurrentUser, restoreSession, type SignedIn, signIn, signOut } from './identity.service.ts'
import { changeOwnDetails, changeOwnLanguage } from './own-details.service.ts'
import { checkReset, createReset, requestReset, resetPassword } from './reset.service.ts'
import {
  endAllSessions,
  endAllSessionsOfUser,
  endOwnSession,
  endSessionOfUser,
  listOwnSessions,
  listSessionsOfUser,
} from './sessions.service.ts'

const cookieName = '_auth'

export function identityRoutes(app: FastifyInstance, deps: Deps) {
  const secure = deps.config.publicUrl.startsWith('https:')

  const sendSession = (reply: FastifyReply, { session, cookie }: SignedIn) => {
    reply.header('set-cookie', writeCookie(cookieName, cookie.secret, { secure, maxAge: cookie.maxAge }))
    return session
  }

  for (const endpoint of [api.identity.login, api.identity.userIdentity]) {
    serve(app, endpoint, async ({ body, request, reply }) =>
      sendSession(reply, await signIn(deps, readClientDetails(request), body)),
    )
  }

  serve(app, api.identity.restore, async ({ request, reply }) => {
    if (!isOwnScript(request, deps.config.corsOrigins)) throw new AppError('session.missing')
    // Every browser calls this before its first sign-in: an error status would show up in its console.
    if (!hasCookie(request.headers.cookie, cookieName)) return {}
    const secret = readCookie(request.headers.cookie, cookieName)
    if (!secret) throw new AppError('session.missing')
    try {
      return sendSession(reply, await restoreSession(deps, readClientDetails(request), secret))
    } catch (error) {
      if (error instanceof AppError) reply.header('set-cookie', writeCookie(cookieName, '', { secure, maxAge: 0 }))
      throw error
    }
  })

  emailLinkRoutes(app, deps, sendSession)

  serve(app, api.identity.current, async ({ actor }) => ({ data: await readCurrentUser(deps, requireStaff(actor)) }))

  serve(app, api.identity.change, async ({ actor, body }) => ({ data: await changeOwnDetails(deps, requireStaff(actor), body) }))

  serve(app, api.identity.changeLanguage, async ({ actor, body }) => ({
    data: await changeOwnLanguage(deps, requireStaff(actor), body.language),
  }))

  /** Clears the cookie, and what the browser has stored of the session. */
  const clearSession = (reply: FastifyReply) =>
    void reply.header('set-cookie', writeCookie(cookieName, '', { secure, maxAge: 0 })).header('clear-site-data', '"storage"')

  serve(app, api.identity.signOut, async ({ actor, reply }) => {
    await signOut(deps, requireStaff(actor))
    return clearSession(reply)
  })

  serve(app, api.identity.changePassword, async ({ actor, body, request, reply }) =>
    sendSession(reply, await changePassword(deps, readClientDetails(request), requireStaff(actor), body)),
  )

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

/** Password resets and invitations, whose links are sent by email. */
function emailLinkRoutes(
  app: FastifyInstance,
  deps: Deps,
  sendSession: (reply: FastifyReply, signedIn: SignedIn) => SignedIn['session'],
) {
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
    sendSession(reply, await acceptInvitation(deps, readClientDetails(request), body)),
  )
}

const readClientDetails = ({ ip, headers }: FastifyRequest) => ({ address: ip, agent: headers['user-agent'] ?? '' })

/** Guards against CSRF: requires our header, which another site's page cannot send, and a matching `Sec-Fetch-Site` or `Origin`. */
function isOwnScript({ headers }: FastifyRequest, corsOrigins: string[]) {
  const site = headers['sec-fetch-site']
  const isOwn =
    site === undefined || site === 'same-origin' || (headers.origin !== undefined && corsOrigins.includes(headers.origin))
  return isOwn && headers['x-neptune'] === '1'
}
