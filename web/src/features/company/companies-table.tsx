import { type CompanyRow, maxCountPerCompany } from '@neptune/contract'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'react-router'
import { Age } from '../../components/age.tsx'
import { classNames } from '../../components/class-names.ts'
import { Table } from '../../components/table/table.tsx'
import type { Column } from '../../components/table/table-columns.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { formatNumber, t } from '../../i18n/t.ts'
import { paths } from '../../paths.ts'
import css from './companies-table.module.css'
import { type CompanyActions, CompanyMenu, createCompanyMenu } from './company-menu.tsx'
import { CompanyUsage } from './company-usage.tsx'

const c = classNames(css)

interface CompaniesTableProps {
  companies: readonly CompanyRow[]
  loading: boolean
  empty: ReactNode
  sort: string
  onSort: (sort: string) => void
  /** Undefined for users, who can’t change companies. */
  actions: CompanyActions | undefined
}

export function CompaniesTable({ companies, actions, ...rest }: CompaniesTableProps) {
  const columns = useMemo(() => createColumns(actions), [actions])
  return (
    <div className={c('companies')}>
      <Table
        {...rest}
        caption={t('Companies')}
        columns={columns}
        rows={companies}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name || t('Unknown')}
        getMenu={actions && ((company) => createCompanyMenu(company, actions))}
      />
    </div>
  )
}

const createColumns = (actions: CompanyActions | undefined): Column<CompanyRow>[] => [
  {
    key: 'name',
    header: t('Name'),
    cell: ({ id, name }) => (
      <Link to={paths.company(id)} data-opener className={c('name')}>
        <TruncatedText text={name} at="end" />
      </Link>
    ),
    sort: 'name',
    primary: true,
  },
  { key: 'people', header: t('People'), cell: ({ people }) => formatCount(people), ...countColumn },
  { key: 'directories', header: t('Directories'), cell: ({ directories }) => formatCount(directories), ...countColumn },
  {
    key: 'storage',
    header: t('Storage'),
    cell: (row) => <CompanyUsage {...row} />,
    sort: 'bytes',
    width: '24%',
    ownLine: true,
    labelOnPhone: true,
  },
  { key: 'links', header: t('Active links'), cell: ({ active_links }) => formatCount(active_links), ...countColumn },
  {
    key: 'activity',
    header: t('Last activity'),
    cell: ({ last_activity_at }) => (last_activity_at ? <Age instant={last_activity_at} short /> : t('None')),
    width: 124,
    ownLine: true,
    labelOnPhone: true,
  },
  ...(actions ? [createMenuColumn(actions)] : []),
]

const countColumn = { align: 'end', width: 124, labelOnPhone: true } as const

const createMenuColumn = (actions: CompanyActions): Column<CompanyRow> => ({
  key: 'menu',
  header: t('Actions'),
  cell: (company, label) => <CompanyMenu company={company} label={label} actions={actions} />,
  action: true,
  align: 'end',
  width: 64,
})

/** The server stops counting at `maxCountPerCompany`. */
const formatCount = (count: number) => (count >= maxCountPerCompany ? `${formatNumber(count)}+` : formatNumber(count))
