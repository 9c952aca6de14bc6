import type { Visit } from '../../api/visit.ts'
import { getTopFolder } from './files/picked-files.ts'
import { startUploads } from './start-uploads.ts'
import { setUnsentFiles } from './unsent-files.ts'
import type { UploadManager } from './upload-manager.ts'

const uploadsByVisit = new Map<Visit, UploadManager>()

/** Returns a recipient’s uploads. They pause when the link is closed, and resume when its code is entered again. */
export function getRecipientUploads(visit: Visit, accessKey: string): UploadManager {
  const existingUploads = uploadsByVisit.get(visit)
  if (existingUploads) return existingUploads
  const uploads = startUploads(visit)
  const followVisit = () => {
    const isInside = visit.getState().kind === 'inside'
    if (!isInside) uploads.clearFinished() // finished uploads belong to the ended visit, like its receipt
    // A folder counts as one name, because it can have thousands of files.
    const names = [
      ...new Set(uploads.read().jobs.map(({ name, folder }) => (folder === undefined ? name : (getTopFolder(folder) ?? folder)))),
    ]
    if (isInside || names.length > 0) setUnsentFiles(visit, isInside ? [] : names)
    uploads.setUser(isInside ? `link ${accessKey}` : undefined)
  }
  uploadsByVisit.set(visit, uploads)
  visit.subscribe(followVisit)
  followVisit()
  return uploads
}
