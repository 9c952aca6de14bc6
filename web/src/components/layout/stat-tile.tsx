import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatNumber, t } from '../../i18n/t.ts'
import { classNames } from '../class-names.ts'
import { Skeleton } from '../feedback/skeleton.tsx'
import css from './stat-tile.module.css'

const c = classNames(css)

export const StatTiles = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul aria-label={label} className={c('tiles')}>
    {children}
  </ul>
)

interface StatTileProps {
  label: string
  icon: ReactNode
  /** Undefined while loading; null if loading failed. */
  value: number | null | undefined
  to: string
}

/** A total that links to its page. */
export const StatTile = ({ label, icon, value, to }: StatTileProps) => (
  <li>
    <Link to={to} className={c('tile')}>
      <span className={c('icon')}>{icon}</span>
      <span className={c('text')}>
        <span className={c('label')}>{label}</span>
        <span className={c('value', value === null && 'unknown')}>
          {value === undefined ? (
            <Skeleton width={64} height={20} label={t('Loading')} />
          ) : value === null ? (
            t('Unknown')
          ) : (
            formatNumber(value)
          )}
        </span>
      </span>
    </Link>
  </li>
)
