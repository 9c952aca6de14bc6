import { api } from '@neptune/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { readCookie, writeCookie } from '../../http/cookies.ts'
import { isOwnScript } from '../../http/own-script.ts'
import { serve } from '../../http/serve.ts'
import { createSessionReply, isSecure, readClientDetails, sessionCookieName } from '../../http/session-reply.ts'
import { requireStaff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import {
  changeProvider,
  createProvider,
  getProviderUris,
  listProviderDetails,
  removeProvider,
} from './manage-provider.service.ts'
import { readSignInOptions } from './provider.service.ts'
import { listOwnAccounts, removeOwnAccount } from './provider-accounts.service.ts'
import { finishCallback, flowSeconds, type Redirect, startSignIn } from './provider-flow.service.ts'
import { linkAccount, readPendingSignIn } from './provider-link.service.ts'
import { endSessionsByToken, readLogoutUrl } from './provider-logout.service.ts'
import { testProvider } from './provider-test.service.ts'

const flowCookieName = '_sso_flow'
const pendingCookieName = '_sso'

export function providerRoutes(app: FastifyInstance, deps: Deps) {
  const { sso } = api
  serve(app, sso.signInOptions, async () => ({ data: await readSignInOptions(deps) }))

  serve(app, sso.start, async ({ params, query, request, reply }) => {
    const options = {
      remember: query.remember === 'true',
      isLink: query.link === 'true',
      isFresh: query.fresh === 'true',
      to: query.to,
      session: readCookie(request.headers.cookie, sessionCookieName),
    }
    sendRedirect(deps, reply, await startSignIn(deps, readClientDetails(request), params.id, options))
  })

  serve(app, sso.callback, async ({ request, reply }) => {
    const cookie = readCookie(request.headers.cookie, flowCookieName)
    const search = new URLSearchParams(request.url.split('?')[1])
    sendRedirect(deps, reply, await finishCallback(deps, readClientDetails(request), { cookie, search }))
  })

  serve(app, sso.backChannelLogout, ({ params, request }) => {
    const token = new URLSearchParams(String(request.body)).get('logout_token') ?? ''
    return endSessionsByToken(deps, request.ip, params.id, token)
  })

  pendingRoutes(app, deps)
  ownRoutes(app, deps)
  adminRoutes(app, deps)
}

/** Redirects the browser, and sets the cookies of the sign-in. */
function sendRedirect(deps: Deps, reply: FastifyReply, { location, flow, pending, signedIn }: Redirect): void {
  const secure = isSecure(deps)
  // The provider sends the browser back from another site. Browsers don't send SameSite=Strict cookies with such requests.
  const sameSite = 'Lax' as const
  const cookies = [
    writeCookie(flowCookieName, flow ?? '', { secure, sameSite, maxAge: flow === null ? 0 : flowSeconds }),
    ...(pending === undefined ? [] : [writeCookie(pendingCookieName, pending, { secure, maxAge: flowSeconds })]),
  ]
  reply.header('set-cookie', cookies)
  if (signedIn) createSessionReply(deps, reply, signedIn)
  reply.header('cache-control', 'no-store').code(302).header('location', location).send()
}

/** The calls with which the login page continues a sign-in. */
function pendingRoutes(app: FastifyInstance, deps: Deps) {
  /** Reads the cookie, for our own scripts only. */
  const readPendingCookie = (request: FastifyRequest) => {
    if (!isOwnScript(request, deps.config.corsOrigins)) throw new AppError('session.missing')
    return readCookie(request.headers.cookie, pendingCookieName)
  }

  serve(app, api.sso.pending, async ({ request }) => ({
    data: await readPendingSignIn(deps, readPendingCookie(request)),
  }))

  serve(app, api.sso.link, async ({ actor, request, reply }) => {
    const signedIn = await linkAccount(deps, readClientDetails(request), actor, readPendingCookie(request))
    reply.header('set-cookie', writeCookie(pendingCookieName, '', { secure: isSecure(deps), maxAge: 0 }))
    return signedIn ? createSessionReply(deps, reply, signedIn) : {}
  })
}

function ownRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, api.sso.logoutUrl, async ({ actor }) => ({ data: { url: await readLogoutUrl(deps, requireStaff(actor)) } }))

  serve(app, api.provider.accounts, async ({ actor }) => ({ data: await listOwnAccounts(deps, requireStaff(actor)) }))

  serve(app, api.provider.removeAccount, ({ actor, params }) => removeOwnAccount(deps, requireStaff(actor), params.id))
}

function adminRoutes(app: FastifyInstance, deps: Deps) {
  serve(app, api.provider.list, async () => ({ data: await listProviderDetails(deps), uris: getProviderUris(deps) }))

  serve(app, api.provider.create, async ({ actor, body }) => ({ data: await createProvider(deps, requireStaff(actor), body) }))

  serve(app, api.provider.change, async ({ actor, params, body }) => ({
    data: await changeProvider(deps, requireStaff(actor), params.id, body),
  }))

  serve(app, api.provider.remove, ({ actor, params }) => removeProvider(deps, requireStaff(actor), params.id))

  serve(app, api.provider.test, async ({ actor, body }) => ({ data: await testProvider(deps, requireStaff(actor), body) }))
}
