import { useEffect, useState } from 'react'
import { useLatest } from '../../../components/use-latest.ts'
import { isNothing, type Picked } from './picked-files.ts'
import { readDropped } from './read-dropped.ts'

/**
 * `none`: nothing is dragged. `over`: files are over the window. `reading`: dropped items are being read, with the number of files so far.
 */
export type Drop = { kind: 'none' } | { kind: 'over' } | { kind: 'reading'; files: number }

/** The minimum time between two updates of the number of files. */
const updateIntervalMs = 150

interface Options {
  /** The drop is in the state `reading` until this resolves. */
  onPicked: (picked: Picked) => unknown
  /** Called when nothing that was dropped can be read. If only some items can’t, `onPicked` gets them in `unreadable`. */
  onFailed: () => void
  /** Called on every drag event. While it returns false, drops are ignored, and the browser doesn’t open the files either. */
  accepts?: () => boolean
}

/** Accepts files and folders dropped anywhere on the window. */
export function useFileDrop(options: Options): Drop {
  const [drop, setDrop] = useState<Drop>({ kind: 'none' })
  const latest = useLatest(options)

  useEffect(() => {
    const listeners = new AbortController()
    const { signal } = listeners
    const end = () => setDrop((drop) => (drop.kind === 'none' ? drop : { kind: 'none' }))
    const listen = (type: 'dragenter' | 'dragover' | 'drop', handle: (event: DragEvent, data: DataTransfer) => void) =>
      window.addEventListener(
        type,
        (event) => {
          if (event.dataTransfer?.types.includes('Files')) handle(event, event.dataTransfer)
        },
        { signal },
      )
    const accepts = () => latest.current.accepts?.() ?? true
    const handleDrag = (event: DragEvent, data: DataTransfer) => {
      event.preventDefault() // otherwise the browser leaves the page and opens the file
      data.dropEffect = accepts() ? 'copy' : 'none'
      if (accepts()) setDrop((drop) => (drop.kind === 'over' ? drop : { kind: 'over' }))
    }
    listen('dragenter', handleDrag)
    listen('dragover', handleDrag)
    const handleLeave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) end() // it left the window, not only an element
    }
    window.addEventListener('dragleave', handleLeave, { signal })
    listen('drop', (event, data) => {
      event.preventDefault()
      if (!accepts()) return end()
      setDrop({ kind: 'reading', files: 0 })
      let updatedAt = performance.now()
      const showProgress = (files: number) => {
        if (performance.now() - updatedAt < updateIntervalMs) return
        updatedAt = performance.now()
        setDrop({ kind: 'reading', files })
      }
      readDropped(data, showProgress)
        .then((picked) => {
          if (!isNothing(picked)) return latest.current.onPicked(picked)
          if (picked.unreadable.length > 0) latest.current.onFailed()
        }, latest.current.onFailed)
        .finally(end)
    })
    return () => listeners.abort()
  }, [latest])

  return drop
}
