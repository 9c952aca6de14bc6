import { type ActivityRow, api } from '@neptune/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { Age } from '../../components/age.tsx'
import { classNames } from '../../components/class-names.ts'
import { AlertIcon } from '../../components/entry-icons.tsx'
import { Badge } from '../../components/feedback/badge.tsx'
import { Panel, PanelFailed, PanelLines, PanelNote } from '../../components/layout/panel.tsx'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { t } from '../../i18n/t.ts'
import { paths } from '../../paths.ts'
import { getActionName, getActorName } from './activity-texts.ts'
import css from './recent-activity.module.css'

const c = classNames(css)

/** Loads the newest entries. The query key starts with `stats`, so they are refetched with the totals. */
const recentActivityQuery = (limit: number, company: string) =>
  queryOptions({
    queryKey: ['stats', 'activity', { limit, company }],
    queryFn: ({ signal }) => call(api.activity.list, { query: { limit, company } }, { signal }).then(({ data }) => data),
  })

interface Props {
  /** How many entries to show. */
  maxShown: number
  /** The company whose entries are shown. */
  company: string
}

export function RecentActivity({ maxShown, company }: Props) {
  const { data: rows, isError, refetch } = useQuery(recentActivityQuery(maxShown, company))
  const path = `${paths.activity}?${new URLSearchParams({ company })}`
  return (
    <Panel title={t('Recent activity')} more={<Link to={path}>{t('Show all activity')}</Link>}>
      {rows ? (
        <ActivityLines rows={rows} />
      ) : isError ? (
        <PanelFailed title={t('The activity did not load.')} onRetry={() => void refetch()} />
      ) : (
        <PanelLines lines={maxShown} />
      )}
    </Panel>
  )
}

/** A short list of audit entries. */
export const ActivityLines = ({ rows }: { rows: readonly ActivityRow[] }) =>
  rows.length === 0 ? (
    <PanelNote>{t('No activity yet.')}</PanelNote>
  ) : (
    <ul className={c('rows')}>
      {rows.map((row) => (
        <Row key={row.id} {...row} />
      ))}
    </ul>
  )

function Row(row: ActivityRow) {
  const session = useSession()
  // Compares ids, because the user may have been renamed. Actions by the user’s API tokens show the token’s name instead of “You”.
  const isMine = session.kind === 'signed-in' && row.person_id === session.info.id && !/ \(token .*\)$/.test(row.person ?? '')
  const what = getActionName(row)
  const sentTo = row.sent_to && t('link for {email}', { email: row.sent_to })
  // An entry about a sign-in has the user’s name, which is shown below anyway.
  const name = row.action === 'session.started' ? null : row.name
  return (
    <li className={c('row')}>
      <span className={c('event')}>
        {row.outcome === 'refused' && (
          <Badge tone="warning" icon={<AlertIcon />}>
            {t('Refused')}
          </Badge>
        )}
        <span className={c('action')}>{row.times > 1 ? t('{what} · {n} times', { what, n: row.times }) : what}</span>
        {name !== null && (
          <span className={c('name')}>
            <TruncatedText text={name} />
          </span>
        )}
      </span>
      <span className={c('secondary')}>
        <TruncatedText text={[isMine ? t('You') : getActorName(row), sentTo].filter(Boolean).join(' · ')} at="end" />
        <span className={c('age')}>
          <Age instant={row.at} short />
        </span>
      </span>
    </li>
  )
}
