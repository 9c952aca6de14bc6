import { staffCaller } from '../../api/caller.ts'
import { getSession, subscribe } from '../../api/session-store.ts'
import { startUploads } from './start-uploads.ts'

/** The uploads of the signed-in user. */
export const staffUploads = startUploads(staffCaller)

/** Uploads resume when the user of an expired session signs in again. A deliberate sign-out discards them. */
function followSession(): void {
  const session = getSession()
  if (session.kind === 'signed-out' && (session.reason === 'signed-out' || session.reason === 'unconfirmed'))
    staffUploads.discardAll()
  staffUploads.setUser(session.kind === 'signed-in' ? session.info.id : undefined)
}

subscribe(followSession)
followSession()
