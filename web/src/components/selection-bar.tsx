import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { CloseIcon } from './icons.tsx'
import css from './selection-bar.module.css'

const c = classNames(css)

/** Stands where the filters were while rows are selected: how many, and what can be done with them. */
export function SelectionBar({ count, onClear, children }: { count: number; onClear: () => void; children: ReactNode }) {
  return (
    <section aria-label="Selection" className={c('bar')}>
      <IconButton label="Clear selection" icon={<CloseIcon />} onClick={onClear} />
      <output className={c('count')}>{count} selected</output>
      {children}
    </section>
  )
}
