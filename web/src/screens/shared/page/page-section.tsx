import type { ReactNode } from 'react'
import { classNames } from '../../../components/class-names.ts'
import css from './page-section.module.css'

const c = classNames(css)

/** Stacks the sections of a page about one user or account. */
export const PageSections = ({ children }: { children: ReactNode }) => <div className={c('sections')}>{children}</div>

interface PageSectionProps {
  name: string
  note?: ReactNode
  action?: ReactNode
  children?: ReactNode
}

export const PageSection = ({ name, note, action, children }: PageSectionProps) => (
  <section className={c('section')} aria-label={name}>
    <div className={c('head')}>
      <div>
        <h2 className={c('heading')}>{name}</h2>
        {note && <p className={c('note')}>{note}</p>}
      </div>
      {action}
    </div>
    {children}
  </section>
)

/** Pairs of a label (`dt`) and its value (`dd`). */
export const FactList = ({ children }: { children: ReactNode }) => <dl className={c('facts')}>{children}</dl>
