import { useEffect, useState } from 'react'
import { useLatest } from '../../components/use-latest.ts'
import { fromDrop, type PickedFile } from './picked-files.ts'

/** What is being dragged or read: nothing, files over the window, or the folders that were dropped. */
export type Drop = 'none' | 'over' | 'reading'

interface Options {
  onFiles: (files: PickedFile[]) => void
  /** Said when what was dropped could not be read. */
  onFailed: () => void
  /** Asked at every move; while it says no, files cannot be dropped, and the page does not open them either. */
  accepts?: () => boolean
}

/** Takes files and folders that are dropped anywhere on the window. */
export function useFileDrop(options: Options): Drop {
  const [drop, setDrop] = useState<Drop>('none')
  const latest = useLatest(options)

  useEffect(() => {
    const over = new AbortController()
    const { signal } = over
    const on = (type: 'dragenter' | 'dragover' | 'drop', handle: (event: DragEvent, data: DataTransfer) => void) =>
      window.addEventListener(
        type,
        (event) => {
          if (event.dataTransfer?.types.includes('Files')) handle(event, event.dataTransfer)
        },
        { signal },
      )
    const accepts = () => latest.current.accepts?.() ?? true
    const hover = (event: DragEvent, data: DataTransfer) => {
      event.preventDefault() // or the browser would leave the page and open the file
      data.dropEffect = accepts() ? 'copy' : 'none'
      if (accepts()) setDrop('over')
    }
    on('dragenter', hover)
    on('dragover', hover)
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setDrop('none') // it left the window, not only an element
    }
    window.addEventListener('dragleave', leave, { signal })
    on('drop', (event, data) => {
      event.preventDefault()
      if (!accepts()) return setDrop('none')
      setDrop('reading')
      fromDrop(data)
        .then((files) => files.length > 0 && latest.current.onFiles(files), latest.current.onFailed)
        .finally(() => setDrop('none'))
    })
    return () => over.abort()
  }, [latest])

  return drop
}
