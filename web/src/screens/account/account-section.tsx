import type { ReactNode } from 'react'
import { classNames } from '../../components/class-names.ts'
import css from './account.module.css'

const c = classNames(css)

interface AccountSectionProps {
  name: string
  note: ReactNode
  action?: ReactNode
  children: ReactNode
}

export const AccountSection = ({ name, note, action, children }: AccountSectionProps) => (
  <section className={c('section')} aria-label={name}>
    <div className={c('head')}>
      <div>
        <h2 className={c('heading')}>{name}</h2>
        <p className={c('note')}>{note}</p>
      </div>
      {action}
    </div>
    {children}
  </section>
)
