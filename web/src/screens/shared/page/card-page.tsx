import { type ReactNode, useEffect, useRef } from 'react'
import { classNames } from '../../../components/class-names.ts'
import { CardLayout } from '../../../components/layout/card-layout.tsx'
import { usePageTitle } from '../../../lib/page/page-title.ts'
import css from './card-page.module.css'

const c = classNames(css)

/** A page with a single card, for visitors who are not signed in and for missing pages. */
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

/** A message that replaces a form. It takes over the focus, so screen readers announce it. */
export function CardNote({ children }: { children: ReactNode }) {
  const note = useRef<HTMLDivElement>(null)
  useEffect(() => note.current?.focus(), [])
  return (
    <div ref={note} role="status" tabIndex={-1} className={c('note')}>
      {children}
    </div>
  )
}
