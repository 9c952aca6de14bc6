import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import css from './badge.module.css'

const c = classNames(css)

interface BadgeProps {
  tone: 'neutral' | 'success' | 'warning' | 'danger' | 'accent'
  icon?: ReactNode
  children: ReactNode
}

/** A label with a tone. The tone only repeats the text, because meaning must not depend on color alone. */
export function Badge({ tone, icon, children }: BadgeProps) {
  return (
    <span className={c('badge', tone)}>
      {icon}
      {children}
    </span>
  )
}
