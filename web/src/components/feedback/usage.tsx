import { t } from '../../i18n/t.ts'
import { classNames } from '../class-names.ts'
import { AlertIcon } from '../entry-icons.tsx'
import { Badge } from './badge.tsx'
import css from './usage.module.css'

const c = classNames(css)

const getTone = (percent: number) => (percent >= 95 ? 'danger' : percent >= 80 ? 'warning' : undefined)

/** A badge that says that something with a limit is nearly full. */
export function UsageBadge({ percent }: { percent: number }) {
  const tone = getTone(percent)
  return (
    tone && (
      <Badge tone={tone} icon={<AlertIcon />}>
        {t('{percent}% full', { percent: String(Math.floor(percent)) })}
      </Badge>
    )
  )
}

/** A bar as long as the share in percent. With `hasLimit`, its color warns when it is nearly full. */
export const UsageBar = ({ percent, hasLimit = true }: { percent: number; hasLimit?: boolean }) => (
  <span aria-hidden="true" className={c('bar', hasLimit && getTone(percent))}>
    <span style={{ width: `${Math.min(100, percent)}%` }} />
  </span>
)
