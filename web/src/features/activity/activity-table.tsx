import type { ActivityRow } from '@neptune/contract'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'react-router'
import { classNames } from '../../components/class-names.ts'
import { AlertIcon } from '../../components/entry-icons.tsx'
import { Badge } from '../../components/feedback/badge.tsx'
import { Table } from '../../components/table/table.tsx'
import type { Column } from '../../components/table/table-columns.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { t } from '../../i18n/t.ts'
import { formatSize } from '../../lib/sizes.ts'
import { formatAge, formatDateTimeWithSeconds } from '../../lib/time/dates.ts'
import css from './activity.module.css'
import { formatNote } from './activity-notes.ts'
import { findSubject, getActionName, getActivityPath, getActorName } from './activity-texts.ts'
import { formatSettingName } from './setting-notes.ts'

const c = classNames(css)

interface ActivityTableProps {
  rows: readonly ActivityRow[]
  loading: boolean
  empty: ReactNode
  /** Whether to show the company. Not needed for people who see only their own. */
  withCompany: boolean
}

export function ActivityTable({ rows, loading, empty, withCompany }: ActivityTableProps) {
  const columns = useMemo(() => createColumns(withCompany), [withCompany])
  return (
    <Table
      caption={t('Activity')}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => String(id)}
      rowLabel={getActionName}
      loading={loading}
      empty={empty}
    />
  )
}

const createColumns = (withCompany: boolean): Column<ActivityRow>[] => [
  { key: 'time', header: t('Time'), cell: ({ at }) => <Moment instant={at} />, width: 216, ownLine: true },
  { key: 'actor', header: t('Who'), cell: (row) => <Actor {...row} />, width: '14%' },
  { key: 'event', header: t('Event'), cell: (row) => <EventCell {...row} />, minWidth: 200, primary: true },
  { key: 'item', header: t('Item'), cell: (row) => <Item {...row} />, width: '20%', ownLine: true },
  ...(withCompany ? [createCompanyColumn()] : []),
  {
    key: 'client',
    header: t('IP address'),
    cell: ({ client }) => client && <TruncatedText text={client} />,
    width: 148,
  },
]

const createCompanyColumn = (): Column<ActivityRow> => ({
  key: 'company',
  header: t('Company'),
  cell: ({ company }) => company && <TruncatedText text={company} at="end" />,
  width: '15%',
})

const Moment = ({ instant }: { instant: string }) => (
  <time dateTime={instant} title={formatAge(instant)}>
    {formatDateTimeWithSeconds(instant)}
  </time>
)

/** Recipients have no name. They are identified by their link and the address it was sent to, which open the link’s activity. */
const Actor = (row: ActivityRow) => (
  <div className={c('lines')}>
    {row.person === null ? (
      <span className={c('noName')}>{getActorName(row)}</span>
    ) : (
      <TruncatedText text={getActorName(row)} at="end" />
    )}
    {row.link && (row.who === 'recipient' || row.sent_to) && <RecipientLink link={row.link} sentTo={row.sent_to} />}
  </div>
)

function RecipientLink({ link, sentTo }: { link: string; sentTo: string | null }) {
  const name = sentTo ? t('link for {email}', { email: sentTo }) : t('link {start}…', { start: link.slice(0, 6) })
  return (
    <Link
      to={getActivityPath('link', link)}
      state={{ name: link }}
      className={c('secondary', 'link')}
      aria-label={t('All activity of {name}', { name })}
      title={link}
    >
      <TruncatedText text={name} />
    </Link>
  )
}

function EventCell(row: ActivityRow) {
  const what = getActionName(row)
  return (
    <div className={c('lines')}>
      <span className={c('event')}>
        {row.outcome === 'refused' && (
          <Badge tone="warning" icon={<AlertIcon />}>
            {t('Refused')}
          </Badge>
        )}
        <span>{row.times > 1 ? t('{what} · {n} times', { what, n: row.times }) : what}</span>
      </span>
      {row.note && (
        <span className={c('secondary')}>
          <TruncatedText text={formatNote(row)} at="end" />
        </span>
      )}
    </div>
  )
}

/** Links a file, directory or link to its own activity. */
function Item(row: ActivityRow) {
  const name = row.action === 'settings.changed' ? formatSettingName(row.name) : row.name
  const target = findSubject(row)
  const amount = formatTransferred(row)
  if (name === null && !amount) return null
  return (
    <div className={c('lines', 'item')}>
      {name !== null &&
        (target ? (
          <Link
            to={getActivityPath(target.subject, target.id)}
            state={{ name }}
            className={c('link')}
            aria-label={t('All activity of {name}', { name })}
            title={name}
          >
            <TruncatedText text={name} />
          </Link>
        ) : (
          <TruncatedText text={name} />
        ))}
      {amount && <span className={c('secondary')}>{amount}</span>}
    </div>
  )
}

/** Formats the transferred size: `1 MB of 5 MB` for an interrupted download. */
function formatTransferred({ size, bytes }: ActivityRow): string {
  if (size === null) return bytes === null ? '' : formatSize(bytes)
  return bytes === null || bytes >= size
    ? formatSize(size)
    : t('{part} of {whole}', { part: formatSize(bytes), whole: formatSize(size) })
}
