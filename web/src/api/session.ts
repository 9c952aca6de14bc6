import { type Args, api, Session } from '@neptune/contract'
import { useSyncExternalStore } from 'react'
import { ApiError, unreadable } from './api-error.ts'
import { call } from './client.ts'
import {
  endSession,
  getSession,
  holdSession,
  isSignOutOwed,
  oweSignOut,
  renewInfo,
  type SessionState,
  subscribe,
} from './session-store.ts'

/** Tells the other tabs what happened; never the token. */
const tabs = new BroadcastChannel('neptune')
tabs.onmessage = ({ data }: MessageEvent<'signed-in' | 'signed-out' | 'renewed'>) => {
  const { kind } = getSession()
  if (data === 'signed-out' && kind === 'signed-in') {
    // This tab may have signed in by itself and have a session of its own; if not, the refusal says nothing new.
    call(api.identity.signOut, {}).catch(() => undefined)
    endSession('signed-out')
  }
  if (data === 'renewed' && kind === 'signed-in')
    askForSession().then(
      (session) => session && holdSession(session),
      () => undefined,
    )
  if (data === 'signed-in' && kind === 'signed-out') restoreSession().catch(() => undefined) // the sign-in form is still there
}

/** What the cookie opens, if there is one. It comes along by itself; the header says that a script of ours asked. */
async function askForSession(): Promise<Session | undefined> {
  const session = await call(api.identity.restore, {}, { headers: { 'x-neptune': '1' } })
  if (Object.keys(session).length === 0) return undefined
  const whole = Session.safeParse(session)
  if (!whole.success) throw unreadable(200)
  return whole.data
}

let restoring: Promise<void> | undefined

export const useSession = (): SessionState => useSyncExternalStore(subscribe, getSession)

export function useIsAdmin(): boolean {
  const session = useSession()
  return session.kind === 'signed-in' && session.info.role === 'NEPTUNE_ADMIN'
}

export async function signIn(body: Args<typeof api.identity.login>['body']): Promise<void> {
  holdSession(await call(api.identity.login, { body }))
  oweSignOut(false)
  tabs.postMessage('signed-in')
}

/** Clears this browser whatever the server says. When it could not be told, it is told before anything is restored here again. */
export async function signOut(): Promise<void> {
  const isTold = await call(api.identity.signOut, {})
    .catch((error) => (isUnauthorized(error) ? signOutByCookie() : Promise.reject(error)))
    .then(
      () => true,
      () => false,
    )
  oweSignOut(!isTold)
  endSession(isTold ? 'signed-out' : 'unconfirmed')
  tabs.postMessage('signed-out')
}

/** The token of a tab may have ended while the cookie still opens its session; then it opens it once more, to end it. */
async function signOutByCookie(): Promise<void> {
  try {
    const session = await askForSession()
    if (session) await call(api.identity.signOut, {}, { headers: { authorization: `Bearer ${session.token}` } })
  } catch (error) {
    if (!isUnauthorized(error)) throw error
  }
}

/** A new password ends every session. This tab gets a new one with the answer, the browser's other tabs by the new cookie. */
export async function changePassword(body: Args<typeof api.identity.changePassword>['body']): Promise<void> {
  holdSession(await call(api.identity.changePassword, { body }))
  tabs.postMessage('renewed')
}

/** A new password by the link of a mail. Whoever is signed in in this browser is asked for, because it may be somebody else: only a refusal ends that session. */
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

/** Gives a new tab its session back, by the cookie no script can read. Fails only when the server gave no verdict. */
export function restoreSession(): Promise<void> {
  restoring ??= restore().finally(() => {
    restoring = undefined
  })
  return restoring
}

/** Asks whom the session belongs to, and keeps the answer. A session that was ended elsewhere ends here, by the refusal. */
export async function refreshSession(signal: AbortSignal): Promise<void> {
  const session = getSession()
  if (session.kind !== 'signed-in') return
  const { data } = await call(api.identity.current, {}, { signal })
  renewInfo(data, session.token)
}

async function restore(): Promise<void> {
  if (isSignOutOwed()) {
    await signOutByCookie()
    oweSignOut(false)
    return endSession()
  }
  try {
    const session = await askForSession()
    if (session && getSession().kind !== 'signed-in') return holdSession(session)
  } catch (error) {
    if (!isUnauthorized(error)) throw error
  }
  if (getSession().kind === 'unknown') endSession()
}

const isUnauthorized = (error: unknown) => error instanceof ApiError && error.status === 401
