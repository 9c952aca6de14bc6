import { useEffect, useRef } from 'react'
import type { Visit } from '../../api/visit.ts'
import type { UploadJob } from './state/upload-job.ts'

/** The id and size of an uploaded file. */
type ReceivedFile = readonly [file: string, size: number]

/**
 * Returns the files uploaded during this visit. Stored in the tab’s session storage, because the receipt must cover them after a reload
 * and after the tray was cleared. Each visit has its own receipts.
 */
export function useReceivedFiles(accessKey: string, visit: Visit, jobs: readonly UploadJob[]): readonly ReceivedFile[] {
  const storageKey = `neptune.received.${accessKey}`
  const mark = visit.getToken()?.slice(-16) ?? ''
  const known = useRef<{ mark: string; files: ReadonlyMap<string, number> }>(undefined)
  const before = known.current?.mark === mark ? known.current.files : new Map(read(storageKey, mark))
  const files = new Map([
    ...before,
    ...jobs.flatMap(({ state, size }): ReceivedFile[] => (state.kind === 'done' ? [[state.file, size]] : [])),
  ])
  useEffect(() => {
    if (known.current?.mark === mark && known.current.files.size === files.size) return // most renders only update the progress
    known.current = { mark, files }
    if (files.size > 0) store(storageKey, mark, [...files])
  })
  return [...files]
}

function read(storageKey: string, mark: string): ReceivedFile[] {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')
    return stored.mark === mark ? stored.files : []
  } catch {
    return [] // storage is blocked: only this page knows the files
  }
}

function store(storageKey: string, mark: string, files: readonly ReceivedFile[]): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ mark, files }))
  } catch {
    // storage is blocked or full
  }
}
