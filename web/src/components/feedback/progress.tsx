import { useId } from 'react'
import { classNames } from '../class-names.ts'
import css from './progress.module.css'

const c = classNames(css)

interface ProgressProps {
  label: string
  /** Percent from 0 to 100; null if the total is unknown. */
  value: number | null
  hideLabel?: boolean | undefined
}

export function Progress({ label, value, hideLabel }: ProgressProps) {
  const id = useId()
  const percent = value === null ? null : Math.round(Math.max(0, Math.min(value, 100)))
  return (
    <div className={c('progress')}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : c('label')}>
        {label}
      </label>
      {!hideLabel && percent !== null && (
        <span aria-hidden="true" className={c('value')}>
          {percent} %
        </span>
      )}
      <progress id={id} className={c('bar')} max={100} value={percent ?? undefined} />
    </div>
  )
}
