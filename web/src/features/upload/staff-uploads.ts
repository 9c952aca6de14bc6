import { staff } from '../../api/caller.ts'
import { getSession, subscribe } from '../../api/session-store.ts'
import { startUploads } from './start-uploads.ts'

/** The uploads of the signed-in user. */
export const transfers = startUploads(staff)

/** Uploads resume when the user of an expired session signs in again. A deliberate sign-out discards them. */
function followSession(): void {
  const session = getSession()
  if (session.kind === 'signed-out' && (session.reason === 'signed-out' || session.reason === 'unconfirmed'))
    transfers.discardAll()
  transfers.setUser(session.kind === 'signed-in' ? session.info.id : undefined)
}

subscribe(followSession)
followSession()
