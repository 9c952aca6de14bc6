import { useEffect, useRef } from 'react'
import type { Visit } from '../../api/visit.ts'
import type { Transfer } from './transfer.ts'

/** A file that has arrived, and its size. */
type Arrived = readonly [file: string, size: number]

/**
 * What this visit has brought so far. Kept for as long as the tab is, because a receipt is still wanted after a reload, and after the tray
 * was cleared. Another visit has receipts of its own.
 */
export function useArrived(accessKey: string, visit: Visit, list: readonly Transfer[]): readonly Arrived[] {
  const name = `neptune.received.${accessKey}`
  const mark = visit.token()?.slice(-16) ?? ''
  const known = useRef<{ mark: string; files: ReadonlyMap<string, number> }>(undefined)
  const before = known.current?.mark === mark ? known.current.files : new Map(read(name, mark))
  const files = new Map([
    ...before,
    ...list.flatMap(({ state, size }): Arrived[] => (state.kind === 'done' ? [[state.file, size]] : [])),
  ])
  useEffect(() => {
    if (known.current?.mark === mark && known.current.files.size === files.size) return // most draws only show how far an upload is
    known.current = { mark, files }
    if (files.size > 0) keep(name, mark, [...files])
  })
  return [...files]
}

function read(name: string, mark: string): Arrived[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(name) ?? '{}')
    return kept.mark === mark ? kept.files : []
  } catch {
    return [] // storage is forbidden: what arrived is known to this page alone
  }
}

function keep(name: string, mark: string, files: readonly Arrived[]): void {
  try {
    sessionStorage.setItem(name, JSON.stringify({ mark, files }))
  } catch {
    // forbidden, or full
  }
}
