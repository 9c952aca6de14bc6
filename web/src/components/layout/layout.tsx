import type { ReactNode } from 'react'
import { t } from '../../i18n/t.ts'
import { classNames } from '../class-names.ts'
import css from './layout.module.css'

const c = classNames(css)

interface LayoutProps {
  bar: ReactNode
  /** At the end of the window, or of the page if it is longer. */
  footer?: ReactNode
  children: ReactNode
}

/** The layout of a page: a skip link, the header bar, and the main landmark. */
export function Layout({ bar, footer, children }: LayoutProps) {
  return (
    <div className={footer ? c('page') : undefined}>
      <a href="#main" className={c('skip')}>
        {t('Skip to content')}
      </a>
      <header className={c('header')}>{bar}</header>
      <main id="main" tabIndex={-1} className={c('main')}>
        {children}
      </main>
      {footer}
    </div>
  )
}
