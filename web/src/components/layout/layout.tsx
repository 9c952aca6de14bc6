import type { ReactNode } from 'react'
import { t } from '../../i18n/t.ts'
import { classNames } from '../class-names.ts'
import css from './layout.module.css'

const c = classNames(css)

/** The layout of a page: a skip link, the header bar, and the main landmark. */
export function Layout({ bar, children }: { bar: ReactNode; children: ReactNode }) {
  return (
    <>
      <a href="#main" className={c('skip')}>
        {t('Skip to content')}
      </a>
      <header className={c('header')}>{bar}</header>
      <main id="main" tabIndex={-1} className={c('main')}>
        {children}
      </main>
    </>
  )
}
