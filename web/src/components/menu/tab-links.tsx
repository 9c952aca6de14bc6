import { Link } from 'react-router'
import { classNames } from '../class-names.ts'
import css from './tab-links.module.css'

const c = classNames(css)

interface TabLinksProps {
  label: string
  tabs: readonly { label: string; to: string; current: boolean }[]
}

/** Tabs for several lists on one page, each with its own URL. */
export const TabLinks = ({ label, tabs }: TabLinksProps) => (
  <nav aria-label={label}>
    <ul className={c('tabs')}>
      {tabs.map(({ label, to, current }) => (
        <li key={to}>
          <Link to={to} className={c('tab')} aria-current={current ? 'true' : undefined}>
            {label}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)
