import { useSyncExternalStore } from 'react'
import { getSession, subscribe } from '../../api/session-store.ts'
import { noteInTitle } from '../../lib/page-title.ts'
import { setUnfinished } from '../../lib/unfinished.ts'
import { createShelf } from './kept-uploads.ts'
import { createTransfers, type Uploads } from './transfers.ts'
import { tus } from './tus.ts'

/** The uploads of this page. They live as long as it does, whichever screen is shown. */
export const transfers = createTransfers(tus, createShelf())

export const useUploads = (): Uploads => useSyncExternalStore(transfers.subscribe, transfers.read)

/** A session that ran out comes back by signing in, and its uploads with it; who signs out on purpose leaves nothing behind. */
function followSession(): void {
  const session = getSession()
  if (session.kind === 'signed-out' && (session.reason === 'signed-out' || session.reason === 'unconfirmed')) transfers.forget()
  transfers.attend(session.kind === 'signed-in' ? session.info.id : undefined)
}

function followProgress(): void {
  const { totals } = transfers.read()
  noteInTitle(totals.active > 0 ? `${totals.percent} %` : '')
  setUnfinished(totals.active > 0)
}

subscribe(followSession)
transfers.subscribe(followProgress)
window.addEventListener('online', transfers.wake)
followSession()
