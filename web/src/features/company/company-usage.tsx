import type { CompanyRow } from '@neptune/contract'
import { classNames } from '../../components/class-names.ts'
import { Badge } from '../../components/feedback/badge.tsx'
import { AlertIcon } from '../../components/icons.tsx'
import { t } from '../../i18n/t.ts'
import { formatSize } from '../../lib/sizes.ts'
import css from './company-usage.module.css'

const c = classNames(css)

/** Shows the storage a company uses, and how much of its quota that is. A nearly full company also says so in words. */
export function CompanyUsage({ bytes, quota }: Pick<CompanyRow, 'bytes' | 'quota'>) {
  if (quota === null || Number.isNaN(bytes)) return <span className={c('amount')}>{formatSize(bytes)}</span>
  const percent = Math.floor((bytes / quota) * 100)
  const tone = percent >= 95 ? 'danger' : percent >= 80 ? 'warning' : undefined
  return (
    <div className={c('usage')}>
      <span className={c('amount')}>{t('{part} of {whole}', { part: formatSize(bytes), whole: formatSize(quota) })}</span>
      {tone && (
        <Badge tone={tone} icon={<AlertIcon />}>
          {t('{percent} % full', { percent: String(percent) })}
        </Badge>
      )}
      <span aria-hidden="true" className={c('bar', tone)}>
        <span style={{ width: `${Math.min(100, percent)}%` }} />
      </span>
    </div>
  )
}
