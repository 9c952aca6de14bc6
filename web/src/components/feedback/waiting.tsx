import { classNames } from '../class-names.ts'
import css from './waiting.module.css'

const c = classNames(css)

export interface WaitingProps {
  /** The number of open items, and a text for screen readers: `2 open requests`. */
  waiting?: { count: number; label: string } | undefined
}

/** A count next to a navigation item, with a text for screen readers. */
export const Waiting = ({ waiting }: WaitingProps) =>
  waiting && (
    <>
      <span aria-hidden="true" className={c('count')}>
        {waiting.count > 99 ? '99+' : waiting.count}
      </span>
      <span className="sr-only"> ({waiting.label})</span>
    </>
  )
