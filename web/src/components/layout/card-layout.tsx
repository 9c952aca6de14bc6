import type { ReactNode } from 'react'
import { BrandMark } from '../brand-mark.tsx'
import { classNames } from '../class-names.ts'
import css from './card-layout.module.css'
import { LanguageChoice } from './language-choice.tsx'
import { PageFooter } from './page-footer.tsx'

const c = classNames(css)

interface CardLayoutProps {
  /** Shown above the card. Names the organisation. */
  lead?: ReactNode
  /** Whether the page is still loading. Another page may replace this layout, so a press that it interrupts would be lost. */
  isLoading?: boolean
  children: ReactNode
}

/** A single centered card, for pages without a session. */
export function CardLayout({ lead, isLoading = false, children }: CardLayoutProps) {
  return (
    <div className={c('page')}>
      <main id="main" tabIndex={-1} className={c('main')}>
        <div className={c('lead')}>
          <BrandMark place="card" isNamed={lead !== undefined} />
          {lead}
        </div>
        <div className={c('card')}>{children}</div>
      </main>
      <PageFooter isHidden={isLoading}>
        <LanguageChoice />
      </PageFooter>
    </div>
  )
}
