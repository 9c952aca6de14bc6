import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import css from './state.module.css'

const c = classNames(css)

interface EmptyStateProps {
  icon: ReactNode
  title: string
  children?: ReactNode
  action?: ReactNode
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className={c('state')}>
      <span className={c('icon')}>{icon}</span>
      <p className={c('title')}>{title}</p>
      {children && <div className={c('text')}>{children}</div>}
      {action && <div className={c('actions')}>{action}</div>}
    </div>
  )
}
