import type { ReactNode } from 'react'
import { classNames } from '../../components/class-names.ts'
import { AlertIcon, CheckIcon, CloseIcon } from '../../components/entry-icons.tsx'
import css from './receipt.module.css'

const c = classNames(css)

const icons = { good: CheckIcon, bad: CloseIcon, unsure: AlertIcon }

interface CheckResultProps {
  tone: keyof typeof icons
  title: ReactNode
  children: ReactNode
}

/** Shows the result of a check. The text doesn’t rely on color or icon. */
export function CheckResult({ tone, title, children }: CheckResultProps) {
  const Icon = icons[tone]
  return (
    <div className={c('result', tone)}>
      <Icon />
      <p className={c('title')}>{title}</p>
      <div>{children}</div>
    </div>
  )
}
