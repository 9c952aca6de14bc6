import type { Session } from '@neptune/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readCookie, writeCookie } from './cookies.ts'

export const sessionCookieName = '_auth'
const browserCookieName = '_browser'
const browserCookieSeconds = 365 * 24 * 60 * 60

/** The part of the dependencies that determines whether cookies are sent over HTTPS only. */
interface Site {
  config: { publicUrl: string }
}

export const isSecure = ({ config }: Site) => config.publicUrl.startsWith('https:')

/** Returns the address, the user agent and the browser of a request. */
export const readClientDetails = ({ ip, headers }: FastifyRequest) => ({
  address: ip,
  agent: headers['user-agent'] ?? '',
  browser: /^npb_[\w-]{43}$/.exec(readCookie(headers.cookie, browserCookieName) ?? '')?.[0],
})

/** Sets the cookies of a sign-in, and returns the session for the body of the reply. */
export function createSessionReply(
  site: Site,
  reply: FastifyReply,
  {
    session,
    cookie,
    browser,
  }: { session: Session; cookie: { secret: string; maxAge: number | undefined }; browser?: string | undefined },
): Session {
  const secure = isSecure(site)
  reply.header('set-cookie', writeCookie(sessionCookieName, cookie.secret, { secure, maxAge: cookie.maxAge }))
  if (browser) reply.header('set-cookie', writeCookie(browserCookieName, browser, { secure, maxAge: browserCookieSeconds }))
  return session
}

/** Clears the cookie of the session. The browser stays known. */
export const clearSessionCookie = (site: Site, reply: FastifyReply) =>
  reply.header('set-cookie', writeCookie(sessionCookieName, '', { secure: isSecure(site), maxAge: 0 }))
