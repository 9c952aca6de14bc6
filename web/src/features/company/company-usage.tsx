import type { CompanyRow } from '@neptune/contract'
import { classNames } from '../../components/class-names.ts'
import { UsageBadge, UsageBar } from '../../components/feedback/usage.tsx'
import { t } from '../../i18n/t.ts'
import { formatSize } from '../../lib/sizes.ts'
import css from './company-usage.module.css'

const c = classNames(css)

/** Shows the storage a company uses, and how much of its quota that is. From 80% on, a badge says so in words. */
export function CompanyUsage({ bytes, quota }: Pick<CompanyRow, 'bytes' | 'quota'>) {
  if (quota === null || Number.isNaN(bytes)) return <span className={c('amount')}>{formatSize(bytes)}</span>
  const percent = Math.floor((bytes / quota) * 100)
  return (
    <div className={c('usage')}>
      <span className={c('amount')}>{t('{part} of {whole}', { part: formatSize(bytes), whole: formatSize(quota) })}</span>
      <UsageBadge percent={percent} />
      <div className={c('bar')}>
        <UsageBar percent={percent} />
      </div>
    </div>
  )
}
