import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import css from './badge.module.css'

const c = classNames(css)

interface BadgeProps {
  tone: 'neutral' | 'success' | 'warning' | 'danger' | 'accent'
  icon?: ReactNode
  children: ReactNode
}

/** A label in a color. The color only repeats what the text says, because meaning must not depend on color alone. */
export function Badge({ tone, icon, children }: BadgeProps) {
  return (
    <span className={c('badge', tone)}>
      {icon}
      {children}
    </span>
  )
}
