import type { ReactNode } from 'react'
import { CardLayout } from '../components/card-layout.tsx'
import { classNames } from '../components/class-names.ts'
import { usePageTitle } from '../lib/page-title.ts'
import css from './card-page.module.css'

const c = classNames(css)

/** A screen that is one card: for those who are not inside, or nowhere. */
export function CardPage({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title)
  return (
    <CardLayout>
      <div className={c('content')}>
        <h1 className={c('title')}>{title}</h1>
        {children}
      </div>
    </CardLayout>
  )
}
