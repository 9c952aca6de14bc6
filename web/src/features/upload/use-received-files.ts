import { useEffect, useRef } from 'react'
import type { Visit } from '../../api/visit.ts'
import type { UploadJob } from './state/upload-job.ts'

/** The id and size of an uploaded file. */
type ReceivedFile = readonly [file: string, size: number]

/**
 * Returns the files uploaded during this visit. Stored in the tab’s session storage, because the receipt must cover them after a reload
 * and after the tray was cleared. Only the list of the latest visit to a link is kept.
 */
export function useReceivedFiles(accessKey: string, visit: Visit, jobs: readonly UploadJob[]): readonly ReceivedFile[] {
  const storageKey = `neptune.received.${accessKey}`
  const visitId = visit.getToken()?.slice(-16) ?? '' // every visit has its own token
  const stored = useRef<{ visitId: string; files: ReadonlyMap<string, number> }>(undefined)
  const earlierFiles = stored.current?.visitId === visitId ? stored.current.files : new Map(readStored(storageKey, visitId))
  const files = new Map([
    ...earlierFiles,
    ...jobs.flatMap(({ state, size, kind }): ReceivedFile[] =>
      state.kind === 'done' && kind !== 'folder' ? [[state.file, size]] : [],
    ),
  ])
  useEffect(() => {
    if (stored.current?.visitId === visitId && stored.current.files.size === files.size) return // most renders only update the progress
    stored.current = { visitId, files }
    if (files.size > 0) writeStored(storageKey, visitId, [...files])
  })
  return [...files]
}

/** Returns the stored files of a visit, or none if they are of an earlier visit. `mark` is the id of the visit. */
function readStored(storageKey: string, visitId: string): ReceivedFile[] {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')
    return stored.mark === visitId ? stored.files : []
  } catch {
    return [] // storage is blocked: only this page knows the files
  }
}

function writeStored(storageKey: string, visitId: string, files: readonly ReceivedFile[]): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ mark: visitId, files }))
  } catch {
    // storage is blocked or full
  }
}
