import { type Args, api } from '@neptune/contract'
import { useSyncExternalStore } from 'react'
import { ApiError } from './api-error.ts'
import { call } from './client.ts'
import { endSession, getSession, holdSession, type SessionState, subscribe } from './session-store.ts'

/** Tells the other tabs what happened; never the token. */
const tabs = new BroadcastChannel('neptune')
tabs.onmessage = ({ data }: MessageEvent<'signed-in' | 'signed-out'>) => {
  const { kind } = getSession()
  if (data === 'signed-out' && kind === 'signed-in') endSession('signed-out')
  if (data === 'signed-in' && kind === 'signed-out') restoreSession().catch(() => undefined) // the sign-in form is still there
}

let restoring: Promise<void> | undefined

export const useSession = (): SessionState => useSyncExternalStore(subscribe, getSession)

export async function signIn(body: Args<typeof api.identity.login>['body']): Promise<void> {
  holdSession(await call(api.identity.login, { body }))
  tabs.postMessage('signed-in')
}

/** Clears this browser whatever the server says; when it could not be told, the sign-in screen warns of it. */
export async function signOut(): Promise<void> {
  const ended = await call(api.identity.signOut, {}).then(() => true, isUnauthorized)
  endSession(ended ? 'signed-out' : 'unconfirmed')
  tabs.postMessage('signed-out')
}

/** Gives a new tab its session back, by the cookie no script can read. Fails only when the server gave no verdict. */
export function restoreSession(): Promise<void> {
  restoring ??= restore().finally(() => {
    restoring = undefined
  })
  return restoring
}

async function restore(): Promise<void> {
  try {
    const session = await call(api.identity.restore, {}, { 'x-neptune': '1' })
    if (getSession().kind !== 'signed-in') holdSession(session)
  } catch (error) {
    if (!isUnauthorized(error)) throw error
    if (getSession().kind === 'unknown') endSession()
  }
}

const isUnauthorized = (error: unknown) => error instanceof ApiError && error.status === 401
