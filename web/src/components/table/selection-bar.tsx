import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { formatNumber, t } from '../../i18n/t.ts'
import { classNames } from '../class-names.ts'
import { CloseIcon } from '../entry-icons.tsx'
import { IconButton } from '../form/button.tsx'
import css from './selection-bar.module.css'

const c = classNames(css)

interface SelectionBarProps {
  count: number
  /** Whether all loaded rows are selected, but the list has more. */
  isPartial?: boolean
  onClear: () => void
  children: ReactNode
}

/** Floats at the bottom of the window while rows are selected. Shows their number and the actions. */
export function SelectionBar({ count, isPartial = false, onClear, children }: SelectionBarProps) {
  const bar = useRef<HTMLElement>(null)
  // Moves the focus to the main element if a focused button disappears with the bar.
  useLayoutEffect(() => {
    const element = bar.current
    return () => {
      if (element?.contains(document.activeElement)) document.getElementById('main')?.focus({ preventScroll: true })
    }
  }, [])
  return (
    <section ref={bar} aria-label={t('Selection')} className={c('bar')}>
      <div className={c('summary')}>
        <IconButton label={t('Clear selection')} icon={<CloseIcon />} onClick={onClear} />
        <output className={c('count')}>
          {t('{count} selected', { count: formatNumber(count) })}
          {isPartial && <span className={c('partial')}>{t('The list has more.')}</span>}
        </output>
      </div>
      <div className={c('actions')}>{children}</div>
    </section>
  )
}
