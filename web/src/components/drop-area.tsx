import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import css from './drop-area.module.css'

const c = classNames(css)

interface DropAreaProps {
  icon: ReactNode
  /** What to drop here, in a sentence. */
  hint: string
  /** On the button: what to choose. */
  label: string
  /** As a file input takes it. */
  accept?: string | undefined
  onFile: (file: File) => void
}

/** One file, dropped here or chosen. */
export function DropArea({ icon, hint, label, accept, onFile }: DropAreaProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  useMissesCaught()
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file) onFile(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is for the mouse; the way in for everyone is the button.
    <div
      className={c('area', isOver && 'over')}
      onDragEnter={() => setOver(true)}
      onDragOver={(event) => {
        event.dataTransfer.dropEffect = 'copy'
        setOver(true)
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false)
      }}
      onDrop={drop}
    >
      {icon}
      <p className={c('hint')}>{hint}</p>
      <Button onClick={() => input.current?.click()}>{label}</Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label={label}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          target.value = '' // so that the same choice, made again, is a change again
          if (file) onFile(file)
        }}
      />
    </div>
  )
}

/** A file that is dropped beside the area would be opened by the browser, and the page left. */
function useMissesCaught() {
  useEffect(() => {
    const hold = (event: Event) => event.preventDefault()
    window.addEventListener('dragover', hold)
    window.addEventListener('drop', hold)
    return () => {
      window.removeEventListener('dragover', hold)
      window.removeEventListener('drop', hold)
    }
  }, [])
}
