import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import css from './page-header.module.css'

const c = classNames(css)

interface PageHeaderProps {
  name: ReactNode
  purpose?: ReactNode
  action?: ReactNode
}

export function PageHeader({ name, purpose, action }: PageHeaderProps) {
  return (
    <div className={c('header')}>
      <div className={c('words')}>
        <h1 className={c('name')}>{name}</h1>
        {purpose && <p className={c('purpose')}>{purpose}</p>}
      </div>
      {action && <div className={c('action')}>{action}</div>}
    </div>
  )
}
