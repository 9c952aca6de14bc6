import { api, type PendingSignIn, type Session } from '@neptune/contract'
import { call } from '../../api/client.ts'
import { startSession } from '../../api/session.ts'
import { getSession } from '../../api/session-store.ts'

/** Proves that our own script sends the request. */
const headers = { 'x-neptune': '1' }

/** Returns what a sign-in with a provider waits for. Null if it has ended. */
export const readPending = (signal: AbortSignal): Promise<PendingSignIn | null> =>
  call(api.sso.pending, {}, { headers, signal }).then(({ data }) => data)

/** Agrees to connect the account at the provider. Signs the person in if they were not. */
export async function connectAccount(): Promise<void> {
  const current = getSession()
  const authorization = current.kind === 'signed-in' ? { authorization: `Bearer ${current.token}` } : {}
  const session = await call(api.sso.link, {}, { headers: { ...headers, ...authorization } })
  if (session.token !== undefined) await startSession(session as Session)
}
