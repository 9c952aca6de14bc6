import { useEffect, useState } from 'react'
import { useLatest } from '../../../components/use-latest.ts'
import { type PickedFile, readDroppedFiles } from './picked-files.ts'

/** Nothing is dragged, files are over the window, or dropped folders are being read. */
export type DropState = 'none' | 'over' | 'reading'

interface Options {
  onFiles: (files: PickedFile[]) => void
  /** Called when dropped items can’t be read. */
  onFailed: () => void
  /** Called on every drag event. While it returns false, drops are ignored, and the browser doesn’t open the files either. */
  accepts?: () => boolean
}

/** Accepts files and folders dropped anywhere on the window. */
export function useFileDrop(options: Options): DropState {
  const [drop, setDrop] = useState<DropState>('none')
  const latest = useLatest(options)

  useEffect(() => {
    const listeners = new AbortController()
    const { signal } = listeners
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
      if (accepts()) setDrop('over')
    }
    listen('dragenter', handleDrag)
    listen('dragover', handleDrag)
    const handleLeave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setDrop('none') // it left the window, not only an element
    }
    window.addEventListener('dragleave', handleLeave, { signal })
    listen('drop', (event, data) => {
      event.preventDefault()
      if (!accepts()) return setDrop('none')
      setDrop('reading')
      readDroppedFiles(data)
        .then((files) => files.length > 0 && latest.current.onFiles(files), latest.current.onFailed)
        .finally(() => setDrop('none'))
    })
    return () => listeners.abort()
  }, [latest])

  return drop
}
