import type { ReactNode } from 'react'
import { classNames } from '../../components/class-names.ts'
import { AlertIcon, CheckIcon, CloseIcon } from '../../components/icons.tsx'
import css from './receipt.module.css'

const c = classNames(css)

const looks = { good: CheckIcon, bad: CloseIcon, unsure: AlertIcon }

interface CheckResultProps {
  tone: keyof typeof looks
  title: ReactNode
  children: ReactNode
}

/** What came of a check, large and plain. The words alone say it all. */
export function CheckResult({ tone, title, children }: CheckResultProps) {
  const Icon = looks[tone]
  return (
    <div className={c('result', tone)}>
      <Icon />
      <p className={c('title')}>{title}</p>
      <div>{children}</div>
    </div>
  )
}
