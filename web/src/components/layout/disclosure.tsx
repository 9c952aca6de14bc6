import { type ReactNode, useId, useState } from 'react'
import { classNames } from '../class-names.ts'
import { ChevronDownIcon } from '../entry-icons.tsx'
import css from './disclosure.module.css'
import { revealGrowth } from './reveal-growth.ts'

const c = classNames(css)

interface DisclosureProps {
  title: string
  /** The current values, so that nobody has to open it to read them. */
  summary: string
  /** Keeps it open, for example while a field inside has an error. */
  forceOpen?: boolean | undefined
  /** Rendered only while it is open. */
  children: ReactNode
}

/** Optional fields of a form, hidden behind a button that shows and hides them. */
export function Disclosure({ title, summary, forceOpen = false, children }: DisclosureProps) {
  const [isOpenByUser, setOpenByUser] = useState(false)
  const isOpen = isOpenByUser || forceOpen
  const id = useId()
  return (
    <div className={c('disclosure')}>
      {/* The button covers the line, but doesn’t contain the summary, so that its accessible name is only the title. */}
      <div className={c('line')}>
        <button
          type="button"
          className={c('opener')}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          aria-describedby={`${id}-summary`}
          onClick={() => setOpenByUser(!isOpen)}
        >
          {title}
        </button>
        <span id={`${id}-summary`} className={c('summary')}>
          {summary}
        </span>
        <ChevronDownIcon size={16} />
      </div>
      {isOpen && (
        <div id={id} className={c('content')} ref={isOpenByUser ? revealGrowth : undefined}>
          {children}
        </div>
      )}
    </div>
  )
}
