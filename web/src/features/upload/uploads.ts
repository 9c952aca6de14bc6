import { staff } from '../../api/caller.ts'
import { getSession, subscribe } from '../../api/session-store.ts'
import { startUploads } from './start-uploads.ts'

/** The uploads of whoever is signed in. */
export const transfers = startUploads(staff)

/** A session that ran out comes back by signing in, and its uploads with it; who signs out on purpose leaves nothing behind. */
function followSession(): void {
  const session = getSession()
  if (session.kind === 'signed-out' && (session.reason === 'signed-out' || session.reason === 'unconfirmed')) transfers.forget()
  transfers.attend(session.kind === 'signed-in' ? session.info.id : undefined)
}

subscribe(followSession)
followSession()
