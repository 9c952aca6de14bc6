import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { classNames } from '../../../components/class-names.ts'
import css from './upload-list.module.css'

const c = classNames(css)

/** The position of a row in the list. */
export interface RowPlace {
  index: number
  top: number
  count: number
  onFocus: (id: string) => void
  onResize: (id: string, height: number) => void
}

interface Props extends RowPlace {
  id: string
  /** The class names for the row’s state and kind. */
  look: readonly (string | false)[]
  children: ReactNode
}

/** Renders a row at its position in the list. Reports its height, and when it gets the focus. */
export function RowFrame({ id, look, index, top, count, onFocus, onResize, children }: Props) {
  const row = useHeightReport(id, onResize)
  return (
    <li
      ref={row}
      data-row={id}
      aria-posinset={index + 1}
      aria-setsize={count}
      className={c('row', ...look)}
      style={{ top }}
      onFocus={() => onFocus(id)}
    >
      {children}
    </li>
  )
}

/** Reports the height of an element, now and whenever it changes. */
function useHeightReport(id: string, onResize: (id: string, height: number) => void) {
  const element = useRef<HTMLLIElement>(null)
  useLayoutEffect(() => {
    const row = element.current
    if (!row) return
    const report = () => onResize(id, row.offsetHeight)
    report()
    const observer = new ResizeObserver(report)
    observer.observe(row)
    return () => observer.disconnect()
  }, [id, onResize])
  return element
}
