import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { classNames } from '../class-names.ts'
import { Button } from './button.tsx'
import css from './drop-area.module.css'

const c = classNames(css)

interface DropAreaProps {
  icon: ReactNode
  hint: string
  /** The label of the button. */
  label: string
  /** The name of the field that errors refer to. */
  name?: string | undefined
  /** The id of a text about the field, such as its error. */
  describedBy?: string | undefined
  /** The `accept` attribute of the file input. */
  accept?: string | undefined
  onFile: (file: File) => void
}

/** Lets the user drop or choose one file. */
export function DropArea({ icon, hint, label, name, describedBy, accept, onFile }: DropAreaProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isDraggedOver, setDraggedOver] = useState(false)
  useIgnoreDropsOutside()
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setDraggedOver(false)
    const [file] = event.dataTransfer.files
    if (file) onFile(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button is the accessible alternative to dropping.
    <div
      className={c('area', isDraggedOver && 'over')}
      data-drop-area="" // while it is on the page, dropping files elsewhere doesn’t upload them
      onDragEnter={() => setDraggedOver(true)}
      onDragOver={(event) => {
        event.dataTransfer.dropEffect = 'copy'
        setDraggedOver(true)
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setDraggedOver(false)
      }}
      onDrop={drop}
    >
      {icon}
      <p className={c('hint')}>{hint}</p>
      <Button name={name} aria-describedby={describedBy} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label={label}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          target.value = '' // so that choosing the same file again fires a change event
          if (file) onFile(file)
        }}
      />
    </div>
  )
}

/** Prevents the browser from opening a file that is dropped outside the area. */
function useIgnoreDropsOutside() {
  useEffect(() => {
    const prevent = (event: Event) => event.preventDefault()
    window.addEventListener('dragover', prevent)
    window.addEventListener('drop', prevent)
    return () => {
      window.removeEventListener('dragover', prevent)
      window.removeEventListener('drop', prevent)
    }
  }, [])
}
