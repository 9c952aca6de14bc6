import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { Logo } from '../logo.tsx'
import css from './card-layout.module.css'
import { LanguageChoice } from './language-choice.tsx'

const c = classNames(css)

/** A single centered card, for pages without a session. */
export function CardLayout({ children }: { children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className={c('main')}>
      <div className={c('logo')}>
        <Logo size={32} withName />
      </div>
      <div className={c('card')}>{children}</div>
      <LanguageChoice />
    </main>
  )
}
