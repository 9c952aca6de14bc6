import type { TransferDay } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { classNames } from '../../components/class-names.ts'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Panel, PanelFailed } from '../../components/layout/panel.tsx'
import { formatNumber, t } from '../../i18n/t.ts'
import { formatSize } from '../../lib/sizes.ts'
import { dashboardQuery } from './stats-queries.ts'
import { formatDayAndMonth, TransferChart } from './transfer-chart.tsx'
import css from './transfers.module.css'

const c = classNames(css)

/** Uploads and downloads per day. */
export function Transfers() {
  const { data, isError, refetch } = useQuery(dashboardQuery())
  const days = data?.transfers
  return (
    <Panel title={t('Transfers per day')} more={<span className={c('aside')}>{t('Last 30 days')}</span>}>
      {days ? (
        <>
          <TransferChart days={days} />
          <TransferTable days={days} />
        </>
      ) : isError ? (
        <PanelFailed title={t('The transfers did not load.')} onRetry={() => void refetch()} />
      ) : (
        <div aria-busy="true" className={c('pending')}>
          <Skeleton height="100%" label={t('Loading')} />
        </div>
      )}
    </Panel>
  )
}

/** The same data for screen readers. */
const TransferTable = ({ days }: { days: readonly TransferDay[] }) => (
  <div className="sr-only">
    <table>
      <caption>{t('Transfers per day')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('Day (UTC)')}</th>
          <th scope="col">{t('Uploads')}</th>
          <th scope="col">{t('Downloads')}</th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ day, uploads, bytes_in, downloads, bytes_out }) => (
          <tr key={day}>
            <th scope="row">{formatDayAndMonth(day)}</th>
            <td>{`${formatNumber(uploads)}, ${formatSize(bytes_in)}`}</td>
            <td>{`${formatNumber(downloads)}, ${formatSize(bytes_out)}`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
