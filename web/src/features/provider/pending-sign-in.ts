import { api, type PendingSignIn, type Session } from '@neptune/contract'
import { call } from '../../api/client.ts'
import { startSession } from '../../api/session.ts'
import { getSession } from '../../api/session-store.ts'

/** Proves that our own script sends the request. */
const headers = { 'x-neptune': '1' }

/** Loads the unfinished sign-in with a provider. Null if it has ended. */
export const readPending = (signal: AbortSignal): Promise<PendingSignIn | null> =>
  call(api.sso.pending, {}, { headers, signal }).then(({ data }) => data)

/** Connects the account at the provider with a user. Signs them in if they aren’t yet. */
export async function connectAccount(): Promise<void> {
  const current = getSession()
  const authorization = current.kind === 'signed-in' ? { authorization: `Bearer ${current.token}` } : {}
  const session = await call(api.sso.link, {}, { headers: { ...headers, ...authorization } })
  if (session.token !== undefined) await startSession(session as Session)
}
