import type { ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import { t } from '../../i18n/t.ts'
import { classNames } from '../class-names.ts'
import { Menu } from '../menu/menu.tsx'
import css from './page-header.module.css'

const c = classNames(css)

interface Breadcrumb {
  label: string
  to: string
  /** The directory that items dragged onto the breadcrumb are moved to. */
  directory?: string
}

interface PageHeaderProps {
  /** The pages above this one, outermost first. If there are many, a menu contains those in the middle. */
  breadcrumbs?: readonly Breadcrumb[] | undefined
  /** A small title above the name, such as “Directory Section”. It is then the h1, and the name is an h2. */
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
        {eyebrow && <h1 className={c('eyebrow')}>{eyebrow}</h1>}
        {breadcrumbs && breadcrumbs.length > 0 && <Breadcrumbs breadcrumbs={breadcrumbs} />}
        <Name className={c('name')}>{name}</Name>
        {purpose && <p className={c('purpose')}>{purpose}</p>}
      </div>
      {action && <div className={c('action')}>{action}</div>}
    </div>
  )
}

/** How many breadcrumbs are shown at either end of a long path. */
const shownAtStart = 2
const shownAtEnd = 2

function Breadcrumbs({ breadcrumbs }: { breadcrumbs: readonly Breadcrumb[] }) {
  const navigate = useNavigate()
  const isLong = breadcrumbs.length > shownAtStart + shownAtEnd + 1
  const start = isLong ? breadcrumbs.slice(0, shownAtStart) : breadcrumbs
  const hidden = isLong ? breadcrumbs.slice(shownAtStart, -shownAtEnd) : []
  const end = isLong ? breadcrumbs.slice(-shownAtEnd) : []
  return (
    <nav aria-label={t('Breadcrumb')}>
      <ol className={c('breadcrumbs')}>
        {start.map((crumb) => (
          <Crumb key={crumb.to} {...crumb} />
        ))}
        {hidden.length > 0 && (
          <li>
            <Menu
              label={t('Folders in between')}
              trigger="…"
              triggerClassName={c('hidden')}
              items={hidden.map(({ label, to }) => ({ label, onSelect: () => void navigate(to) }))}
            />
          </li>
        )}
        {end.map((crumb) => (
          <Crumb key={crumb.to} {...crumb} />
        ))}
      </ol>
    </nav>
  )
}

const Crumb = ({ label, to, directory }: Breadcrumb) => (
  <li>
    <Link to={to} draggable={false} className={c('crumb')} data-drop-target={directory} data-drop-name={directory && label}>
      {label}
    </Link>
  </li>
)
