import type { Dashboard } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { classNames } from '../../components/class-names.ts'
import { UsageBadge, UsageBar } from '../../components/feedback/usage.tsx'
import { Panel, PanelFailed, PanelLines, PanelNote } from '../../components/layout/panel.tsx'
import { t } from '../../i18n/t.ts'
import { formatAmount, formatSize } from '../../lib/sizes.ts'
import { dashboardQuery } from './stats-queries.ts'
import css from './storage-usage.module.css'

const c = classNames(css)

/** Shows the storage used per company, relative to the quota. */
export function StorageUsage({ hasSeveralCompanies }: { hasSeveralCompanies: boolean }) {
  const { data, isError, refetch } = useQuery(dashboardQuery())
  return (
    <Panel title={hasSeveralCompanies ? t('Storage per company') : t('Storage')}>
      {data ? (
        <Companies {...data.storage} />
      ) : isError ? (
        <PanelFailed title={t('The storage per company did not load.')} onRetry={() => void refetch()} />
      ) : (
        <PanelLines lines={hasSeveralCompanies ? 5 : 1} />
      )}
    </Panel>
  )
}

function Companies({ companies, total }: Dashboard['storage']) {
  // A single company without a quota has nothing to compare with.
  const hasBars = companies.length > 1 || companies.some(({ quota }) => quota !== null)
  const largestBytes = Math.max(1, ...companies.map(({ bytes }) => bytes))
  return (
    <>
      <ul className={c('companies')}>
        {companies.map(({ id, name, bytes, files, quota }) => (
          <li key={id} className={c('company')}>
            <span className={c('name')}>
              {name}
              {quota !== null && <UsageBadge percent={(bytes / quota) * 100} />}
            </span>
            <span className={c('amount')}>{formatUsage(bytes, files, quota)}</span>
            {hasBars && (
              <div className={c('bar')}>
                <UsageBar percent={(bytes / (quota ?? largestBytes)) * 100} hasLimit={quota !== null} />
              </div>
            )}
          </li>
        ))}
      </ul>
      <PanelNote>
        {total > companies.length
          ? companies.some(({ warned }) => warned)
            ? t('Companies that are nearly full, and the largest of {n}. Includes files in the trash.', { n: total })
            : t('The largest of {n} companies. Includes files in the trash.', { n: total })
          : t('Includes files in the trash.')}
      </PanelNote>
    </>
  )
}

const formatUsage = (bytes: number, files: number, quota: number | null) =>
  quota === null
    ? formatAmount(files, bytes)
    : `${t('{n} files', { n: files })}, ${t('{part} of {whole}', { part: formatSize(bytes), whole: formatSize(quota) })}`
