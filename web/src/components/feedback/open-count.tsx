import { classNames } from '../class-names.ts'
import css from './open-count.module.css'

const c = classNames(css)

export interface OpenCountProps {
  /** The number of items that need an answer, and a label for screen readers, such as `2 open requests`. */
  openItems?: { count: number; label: string } | undefined
}

/** A badge next to a navigation item, with the number of open items on its page. */
export const OpenCount = ({ openItems }: OpenCountProps) =>
  openItems && (
    <>
      <span aria-hidden="true" className={c('count')}>
        {openItems.count > 99 ? '99+' : openItems.count}
      </span>
      <span className="sr-only"> ({openItems.label})</span>
    </>
  )
