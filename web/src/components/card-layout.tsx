import type { ReactNode } from 'react'
import css from './card-layout.module.css'
import { classNames } from './class-names.ts'
import { Logo } from './logo.tsx'

const c = classNames(css)

/** One card on a quiet ground, for those who are not inside yet. */
export function CardLayout({ children }: { children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className={c('main')}>
      <div className={c('logo')}>
        <Logo size={32} withName />
      </div>
      <div className={c('card')}>{children}</div>
    </main>
  )
}
