import type { UserRow } from '@neptune/contract'
import { type ReactNode, useMemo } from 'react'
import { useHasSeveralCompanies } from '../../api/session.ts'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { NameLink } from '../../components/name-link.tsx'
import { Table } from '../../components/table/table.tsx'
import type { Column } from '../../components/table/table-columns.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { t } from '../../i18n/t.ts'
import { defaultCompany } from '../../lib/default-company.ts'
import { paths } from '../../paths.ts'
import { describeOtherCompanies } from './access-texts.ts'
import { roleNames } from './roles.ts'
import { UserStatus } from './user-status.tsx'
import css from './users-table.module.css'

const c = classNames(css)

interface UsersTableProps {
  users: readonly UserRow[]
  loading: boolean
  empty: ReactNode
  /** Without it, users can’t be edited. */
  onEdit: ((user: UserRow) => void) | undefined
}

export function UsersTable({ users, loading, empty, onEdit }: UsersTableProps) {
  const hasCompanyLinks = useHasSeveralCompanies()
  const columns = useMemo(
    (): Column<UserRow>[] => [
      { key: 'name', header: t('Name'), cell: (user) => <Person {...user} />, primary: true },
      {
        key: 'title',
        header: t('Title'),
        cell: (user) => <Title user={user} hasCompanyLink={hasCompanyLinks} />,
        width: '34%',
        ownLine: true,
      },
      { key: 'status', header: t('Status'), cell: (user) => <UserStatus {...user} />, width: 176 },
      { key: 'role', header: t('Role'), cell: (user) => t(roleNames[user.role]), width: 96 },
      ...(onEdit ? [createEditColumn(onEdit)] : []),
    ],
    [hasCompanyLinks, onEdit],
  )
  return (
    <div className={c('users')}>
      <Table
        caption={t('Users')}
        columns={columns}
        rows={users}
        rowKey={(user) => user.id}
        rowLabel={({ name }) => name || t('Unknown')}
        rowDetail={({ email }) => email}
        loading={loading}
        empty={empty}
      />
    </div>
  )
}

const createEditColumn = (onEdit: (user: UserRow) => void): Column<UserRow> => ({
  key: 'edit',
  header: t('Edit'),
  cell: (user, name) => (
    <Button aria-label={t('Edit {name}', { name })} onClick={() => onEdit(user)}>
      {t('Edit')}
    </Button>
  ),
  action: true,
  align: 'end',
  width: 120,
})

const Person = ({ id, name, email }: UserRow) => (
  <div className={c('person')}>
    <NameLink text={name} to={id ? paths.user(id) : undefined} />
    <div className={c('secondary')}>
      <TruncatedText text={email} />
    </div>
  </div>
)

function Title({ user, hasCompanyLink }: { user: UserRow; hasCompanyLink: boolean }) {
  const otherCompanies = describeOtherCompanies(user)
  return (
    <div className={c('title')}>
      <span>{t('Employee')}</span>
      <div className={c('secondary', 'companies')}>
        <NameLink
          text={user.company_name || defaultCompany}
          to={hasCompanyLink && user.company ? paths.company(user.company) : undefined}
        />
        {otherCompanies && <span className={c('others')}> {otherCompanies}</span>}
      </div>
    </div>
  )
}
