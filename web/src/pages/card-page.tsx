import { type ReactNode, useEffect, useRef } from 'react'
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

/** What is said in place of a form. It takes the focus the form had, which also reads it out. */
export function CardNote({ children }: { children: ReactNode }) {
  const note = useRef<HTMLDivElement>(null)
  useEffect(() => note.current?.focus(), [])
  return (
    <div ref={note} role="status" tabIndex={-1} className={c('note')}>
      {children}
    </div>
  )
}
