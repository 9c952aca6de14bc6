import type { Factors } from '@neptune/contract'
import type { ReactNode } from 'react'
import { classNames } from '../../components/class-names.ts'
import { AlertIcon } from '../../components/entry-icons.tsx'
import { t } from '../../i18n/t.ts'
import { formatUtcDay } from '../../lib/time/dates.ts'
import css from './factor.module.css'

const c = classNames(css)

/** Says from which day on a user without a second factor needs one. `children` follow the sentence, such as a link. */
export function FactorNote({ factors, children }: { factors: Factors; children?: ReactNode }) {
  const { is_required, required_from, has_second_factor } = factors
  if (!is_required || required_from === null || has_second_factor) return null
  return (
    <p className={c('note')}>
      <AlertIcon />
      <span>
        {t('From {date}, your organisation requires a second factor. Set one up before then.', {
          date: formatUtcDay(required_from),
        })}{' '}
        {children}
      </span>
    </p>
  )
}
