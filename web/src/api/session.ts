import { type Args, api, Session } from '@neptune/contract'
import { useSyncExternalStore } from 'react'
import { chooseLanguage } from '../i18n/language.ts'
import { noteRemembered } from '../lib/storage/remembered.ts'
import { ApiError, createReplyError } from './api-error.ts'
import { call } from './client.ts'
import {
  endSession,
  getSession,
  isSignOutPending,
  type SessionState,
  setSession,
  setSignOutPending,
  storeSession,
  subscribe,
  updateInfo,
} from './session-store.ts'

/** Notifies the other tabs. Never sends the token. */
const tabs = new BroadcastChannel('neptune')
tabs.onmessage = ({ data }: MessageEvent<'signed-in' | 'signed-out' | 'renewed'>) => {
  const { kind } = getSession()
  if (data === 'signed-out' && kind === 'signed-in') {
    // Ends the session of this tab if it has one of its own. Otherwise the session has already ended, and the request fails harmlessly.
    call(api.identity.signOut, {}).catch(() => undefined)
    endSession('signed-out')
  }
  if (data === 'renewed' && kind === 'signed-in')
    fetchSession().then(
      (session) => session && setSession(session),
      () => undefined,
    )
  if (data === 'signed-in' && kind === 'signed-out') restoreSession().catch(() => undefined) // on failure the sign-in form stays
}

/** Fetches the session that the cookie belongs to, if there is one. The header proves that our own script sent the request. */
async function fetchSession(): Promise<Session | undefined> {
  const session = await call(api.identity.restore, {}, { headers: { 'x-neptune': '1' } })
  if (Object.keys(session).length === 0) return undefined
  const parsed = Session.safeParse(session)
  if (!parsed.success) throw createReplyError(200)
  return parsed.data
}

let restoring: Promise<void> | undefined

export const useSession = (): SessionState => useSyncExternalStore(subscribe, getSession)

export function useIsAdmin(): boolean {
  const session = useSession()
  return session.kind === 'signed-in' && session.info.role === 'NEPTUNE_ADMIN'
}

/** Returns whether the user may see more than their own company. */
export const useHasSeveralCompanies = (): boolean => hasSeveralCompanies(useSession())

export function hasSeveralCompanies(session: SessionState): boolean {
  if (session.kind !== 'signed-in') return false
  const { role, access } = session.info
  return role === 'NEPTUNE_ADMIN' || access === 'selected' || access === 'all'
}

/** Returns whether the user may see every company. */
export function useSeesAllCompanies(): boolean {
  const session = useSession()
  return session.kind === 'signed-in' && (session.info.role === 'NEPTUNE_ADMIN' || session.info.access === 'all')
}

export async function signIn(body: Args<typeof api.identity.login>['body']): Promise<void> {
  noteRemembered(body.remember === true)
  await startSession(await call(api.identity.login, { body }))
}

/** Sets the password of an invited user with the token from their email, and signs them in. */
export const acceptInvitation = async (body: Args<typeof api.identity.acceptInvitation>['body']): Promise<void> =>
  startSession(await call(api.identity.acceptInvitation, { body }))

/** Signs in with a link that the operator created on the server. */
export const signInWithOperatorLink = async (body: Args<typeof api.identity.operatorLink>['body']): Promise<void> =>
  startSession(await call(api.identity.operatorLink, { body }))

/** Shows the staff area in all tabs, for someone who has just signed in. */
export async function startSession(session: Session): Promise<void> {
  setSignOutPending(false)
  tabs.postMessage('signed-in')
  await enterSession(session)
}

/** Shows the staff area in the user’s language. Reloads the page if that differs from the page’s, such as in a new browser. */
async function enterSession(session: Session): Promise<void> {
  const { language } = session.info
  if (language !== null && chooseLanguage(language)) {
    storeSession(session)
    await new Promise(() => undefined) // never resolves: showing the session before the reload would change the URL
  }
  setSession(session)
}

/**
 * Takes over the session in the cookie, which the user has just started in another window to confirm their identity. Returns false if
 * it belongs to someone else.
 */
export async function takeConfirmedSession(): Promise<boolean> {
  const before = getSession()
  const session = await fetchSession()
  if (before.kind !== 'signed-in' || session?.info.id !== before.info.id) return false
  setSession(session)
  tabs.postMessage('renewed')
  return true
}

/**
 * Signs out in this browser in any case. If the server can't be reached, the next attempt to restore the session signs out first. If the
 * session began at a provider that has a page to sign out, opens it.
 */
export async function signOut(): Promise<void> {
  const providerUrl = await findProviderLogout()
  const isConfirmed = await call(api.identity.signOut, {})
    .catch((error) => (isUnauthorized(error) ? signOutByCookie() : Promise.reject(error)))
    .then(
      () => true,
      () => false,
    )
  setSignOutPending(!isConfirmed)
  endSession(isConfirmed ? 'signed-out' : 'unconfirmed')
  tabs.postMessage('signed-out')
  if (isConfirmed && providerUrl !== null) location.assign(providerUrl)
}

/** The timeout of the request for the provider’s sign-out page. */
const providerTimeoutMs = 5000

/** Returns the page of the provider that signs the user out there. Null if there is none, or the server doesn’t answer soon. */
const findProviderLogout = (): Promise<string | null> =>
  call(api.sso.logoutUrl, {}, { signal: AbortSignal.timeout(providerTimeoutMs) }).then(
    ({ data }) => data.url,
    () => null,
  )

/** Ends the session that the cookie belongs to, which can outlive the tab's token. Restores it first to get a token. */
async function signOutByCookie(): Promise<void> {
  try {
    const session = await fetchSession()
    if (session) await call(api.identity.signOut, {}, { headers: { authorization: `Bearer ${session.token}` } })
  } catch (error) {
    if (!isUnauthorized(error)) throw error
  }
}

/**
 * Changes the password, which ends all sessions. This tab gets a new session in the reply; other tabs restore it with the
 * cookie.
 */
export async function changePassword(body: Args<typeof api.identity.changePassword>['body']): Promise<void> {
  setSession(await call(api.identity.changePassword, { body }))
  tabs.postMessage('renewed')
}

/**
 * Sets a new password with the token from an email, which ends all sessions of that user. If this tab has a session, checks it with
 * a request, because a 401 ends it here; the session of another user continues. A tab that doesn't know its session yet restores it.
 */
export async function resetPassword(body: Args<typeof api.identity.reset>['body']): Promise<void> {
  await call(api.identity.reset, { body })
  const { kind } = getSession()
  if (kind === 'signed-in') await call(api.identity.current, {}).catch(() => undefined)
  if (kind === 'unknown') await restoreSession().catch(() => undefined)
}

export async function signOutEverywhere(): Promise<void> {
  await call(api.identity.endAllSessions, {})
  endSession('signed-out')
  tabs.postMessage('signed-out')
}

/** Restores the session of a new tab with the HttpOnly cookie. Rejects if the request fails with anything but a 401. */
export function restoreSession(): Promise<void> {
  restoring ??= restore().finally(() => {
    restoring = undefined
  })
  return restoring
}

/** Reloads the user's details. If the session was ended elsewhere, the 401 ends it here. */
export async function refreshSession(signal: AbortSignal): Promise<void> {
  const session = getSession()
  if (session.kind !== 'signed-in') return
  const { data } = await call(api.identity.current, {}, { signal })
  updateInfo(data, session.token)
}

async function restore(): Promise<void> {
  if (isSignOutPending()) {
    await signOutByCookie()
    setSignOutPending(false)
    return endSession()
  }
  try {
    const session = await fetchSession()
    if (session && getSession().kind !== 'signed-in') return await enterSession(session)
  } catch (error) {
    if (!isUnauthorized(error)) throw error
  }
  if (getSession().kind === 'unknown') endSession()
}

const isUnauthorized = (error: unknown) => error instanceof ApiError && error.status === 401
