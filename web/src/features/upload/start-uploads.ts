import type { Caller } from '../../api/caller.ts'
import { setTitleNote } from '../../lib/page/page-title.ts'
import { setUnfinishedWork } from '../../lib/page/unfinished-work.ts'
import { createFolderCreator } from './transport/folders.ts'
import { createTusClient } from './transport/tus.ts'
import { createUploadManager, type UploadManager } from './upload-manager.ts'
import { createUploadStorage } from './upload-storage.ts'

/** Creates the page’s upload manager, which sends files in the caller’s name. Uploads continue on any screen while the page is open. */
export function startUploads(caller: Caller): UploadManager {
  const uploads = createUploadManager(createTusClient(caller), createFolderCreator(caller), createUploadStorage())
  uploads.subscribe(() => {
    const { totals } = uploads.read()
    setTitleNote(totals.active > 0 ? `${totals.percent} %` : '')
    setUnfinishedWork(totals.active > 0)
  })
  window.addEventListener('online', uploads.retryWaiting)
  return uploads
}
