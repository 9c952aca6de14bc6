import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { t } from '../../i18n/t.ts'
import { classNames } from '../class-names.ts'
import css from './page-header.module.css'

const c = classNames(css)

interface PageHeaderProps {
  /** The pages above this one, outermost first. */
  breadcrumbs?: readonly { label: string; to: string }[]
  /** The title of a page whose subject has its own name. Small, but the first heading. */
  eyebrow?: string | undefined
  name: ReactNode
  /** A line below the name: what the page is for, or a summary of its content. */
  purpose?: ReactNode
  action?: ReactNode
}

export function PageHeader({ breadcrumbs, eyebrow, name, purpose, action }: PageHeaderProps) {
  const Name = eyebrow ? 'h2' : 'h1'
  return (
    <div className={c('header')}>
      <div className={c('text')}>
        {breadcrumbs && (
          <nav aria-label={t('Breadcrumb')}>
            <ol className={c('breadcrumbs')}>
              {breadcrumbs.map(({ label, to }) => (
                <li key={to}>
                  <Link to={to} className={c('crumb')}>
                    {label}
                  </Link>
                </li>
              ))}
            </ol>
          </nav>
        )}
        {eyebrow && <h1 className={c('eyebrow')}>{eyebrow}</h1>}
        <Name className={c('name')}>{name}</Name>
        {purpose && <p className={c('purpose')}>{purpose}</p>}
      </div>
      {action && <div className={c('action')}>{action}</div>}
    </div>
  )
}
