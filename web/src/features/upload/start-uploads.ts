import type { Caller } from '../../api/caller.ts'
import { setTitleNote } from '../../lib/page/page-title.ts'
import { setUnfinishedWork } from '../../lib/unfinished-work.ts'
import { createTus } from './transport/tus.ts'
import { createUploadManager, type UploadManager } from './upload-manager.ts'
import { createUploadStorage } from './upload-storage.ts'

/** Creates the uploads of this page, sent in the caller’s name. They run as long as the page is open, on any screen. */
export function startUploads(caller: Caller): UploadManager {
  const uploads = createUploadManager(createTus(caller), createUploadStorage())
  uploads.subscribe(() => {
    const { totals } = uploads.read()
    setTitleNote(totals.active > 0 ? `${totals.percent} %` : '')
    setUnfinishedWork(totals.active > 0)
  })
  window.addEventListener('online', uploads.wake)
  return uploads
}
