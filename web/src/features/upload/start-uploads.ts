import type { Caller } from '../../api/caller.ts'
import { setTitleNote } from '../../lib/page-title.ts'
import { setUnfinished } from '../../lib/unfinished.ts'
import { createShelf } from './kept-uploads.ts'
import { createTransfers, type Transfers } from './transfers.ts'
import { createTus } from './tus.ts'

/** The uploads of this page, in the caller's name. They live as long as the page does, whichever screen is shown. */
export function startUploads(caller: Caller): Transfers {
  const transfers = createTransfers(createTus(caller), createShelf())
  transfers.subscribe(() => {
    const { totals } = transfers.read()
    setTitleNote(totals.active > 0 ? `${totals.percent} %` : '')
    setUnfinished(totals.active > 0)
  })
  window.addEventListener('online', transfers.wake)
  return transfers
}
