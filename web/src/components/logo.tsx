import { classNames } from './class-names.ts'
import css from './logo.module.css'

const c = classNames(css)

/** The logo, as in public/favicon.svg. Without the visible name, the name is still announced. */
export function Logo({ size = 28, withName = false }: { size?: number | undefined; withName?: boolean | undefined }) {
  return (
    <span className={c('logo')}>
      <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <rect className={c('background')} width="32" height="32" rx="8" />
        <path className={c('glyph')} d="M16 7v19M8.5 8.5v4.5a7.5 7.5 0 0 0 15 0V8.5M12 24h8" />
      </svg>
      <span className={withName ? c('name') : 'sr-only'}>Neptune</span>
    </span>
  )
}
