import type { LinkRow } from '@neptune/contract'
import { type ComponentProps, useMemo } from 'react'
import { Link } from 'react-router'
import { useHasSeveralCompanies } from '../../api/session.ts'
import { Age } from '../../components/age.tsx'
import { classNames } from '../../components/class-names.ts'
import { NameLink } from '../../components/name-link.tsx'
import { Table } from '../../components/table/table.tsx'
import type { Column } from '../../components/table/table-columns.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { t } from '../../i18n/t.ts'
import { defaultCompany } from '../../lib/default-company.ts'
import { formatDateTime, formatDaysLeft } from '../../lib/time/dates.ts'
import { useNow } from '../../lib/time/use-now.ts'
import { paths } from '../../paths.ts'
import { LinkStateBadge } from './link-state-badge.tsx'
import { getLinkTypeName } from './link-texts.ts'
import css from './links-table.module.css'

const c = classNames(css)

type TableProps = ComponentProps<typeof Table<LinkRow>>

interface LinksTableProps extends Pick<TableProps, 'loading' | 'empty' | 'selected' | 'onSelect' | 'sort' | 'onSort' | 'onOpen'> {
  links: readonly LinkRow[]
}

/** A click on a row opens the details of the link. */
export const LinksTable = ({ links, ...rest }: LinksTableProps) => {
  const day = Math.floor(useNow() / dayMs)
  const hasCompanyLinks = useHasSeveralCompanies()
  const columns = useMemo(() => createColumns(day, hasCompanyLinks), [day, hasCompanyLinks])
  return (
    <div className={c('links')}>
      <Table
        {...rest}
        caption={t('Links')}
        columns={columns}
        rows={links}
        rowKey={({ key }) => key}
        rowLabel={({ name }) => name || t('Unknown')}
        rowDetail={({ key }) => key}
      />
    </div>
  )
}

const dayMs = 24 * 60 * 60_000

/** The day is a parameter only so that the columns are created again when it changes, which updates the days left. */
const createColumns = (_day: number, hasCompanyLinks: boolean): Column<LinkRow>[] => [
  { key: 'key', header: t('Key'), cell: ({ key }) => <Key value={key} />, width: '11%' },
  {
    key: 'name',
    header: t('Name'),
    cell: (link) => <Name {...link} />,
    sort: 'name',
    minWidth: 104,
    primary: true,
    namedByContent: true,
  },
  { key: 'type', header: t('Type'), cell: getLinkTypeName, width: '13%' },
  {
    key: 'client',
    header: t('Client'),
    cell: ({ client, company }) => (
      <NameLink text={client ?? defaultCompany} to={hasCompanyLinks && company ? paths.company(company) : undefined} />
    ),
    width: '20%',
  },
  {
    key: 'created',
    header: t('Date Created'),
    cell: ({ date_created }) => <Age instant={date_created} short />,
    sort: 'created_at',
    width: 124,
    ownLine: true,
    labelOnPhone: true,
  },
  {
    key: 'expired',
    header: t('Expired (a heading)'),
    cell: (link) => <Expiry {...link} />,
    sort: 'expiry',
    width: 186,
    ownLine: true,
  },
  {
    key: 'view',
    header: t('View Link'),
    cell: ({ key }, name) => (
      <Link
        to={paths.access(key)}
        target="_blank"
        rel="noopener"
        className={c('viewLink')}
        aria-label={`${t('View Link to {name}', { name })} ${t('(opens in a new tab)')}`}
      >
        {t('View Link')}
      </Link>
    ),
    action: true,
    align: 'end',
    width: 116,
  },
]

const Key = ({ value }: { value: string }) => (
  <div className={c('key')}>
    <TruncatedText text={value} />
  </div>
)

/** The name of what the link shares, and how often it was used. */
const Name = ({ name, ...link }: LinkRow) => (
  <div className={c('name')}>
    <TruncatedText text={name} />
    <span className={c('secondary')}>{formatUses(link)}</span>
  </div>
)

/** Formats `Opened 3 · downloaded 2`, without counts that are zero or unknown. */
function formatUses({ opened, downloaded, uploaded }: Pick<LinkRow, 'opened' | 'downloaded' | 'uploaded'>): string {
  if (Number.isNaN(opened.times)) return ''
  if (opened.times === 0) return t('Not opened yet')
  const uses = [t('Opened {n}', { n: opened.times })]
  if (downloaded.times > 0) uses.push(t('downloaded {n}', { n: downloaded.times }))
  if (uploaded.times > 0) uses.push(t('uploaded {n}', { n: uploaded.times }))
  return uses.join(' · ')
}

const Expiry = (link: LinkRow) => (
  <div className={c('expiry')}>
    <time dateTime={link.expiry}>{formatDateTime(link.expiry)}</time>
    {!link.state || link.state === 'active' ? (
      link.expiry && <span className={c('secondary')}>{formatDaysLeft(link.expiry)}</span>
    ) : (
      <LinkStateBadge link={link} />
    )}
  </div>
)
