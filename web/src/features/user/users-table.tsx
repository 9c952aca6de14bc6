import type { UserRow } from '@neptune/contract'
import { type ReactNode, useMemo } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { classNames } from '../../components/class-names.ts'
import { AlertIcon, CheckIcon } from '../../components/icons.tsx'
import { MiddleCut } from '../../components/middle-cut.tsx'
import { Table } from '../../components/table.tsx'
import type { Column } from '../../components/table-columns.ts'
import { roleNames } from './roles.ts'
import css from './users-table.module.css'

const c = classNames(css)

interface UsersTableProps {
  users: readonly UserRow[]
  loading: boolean
  empty: ReactNode
  editDisabledReason: string | undefined
  onEdit: (user: UserRow) => void
}

export function UsersTable({ users, loading, empty, editDisabledReason, onEdit }: UsersTableProps) {
  const columns = useMemo(
    (): Column<UserRow>[] => [
      { key: 'name', header: 'Name', cell: (user) => <Person {...user} />, primary: true },
      { key: 'title', header: 'Title', cell: (user) => <Title {...user} />, width: '28%', ownLine: true },
      { key: 'status', header: 'Status', cell: (user) => <Status {...user} />, width: 140 },
      { key: 'role', header: 'Role', cell: (user) => roleNames[user.role], width: 96 },
      {
        key: 'edit',
        header: 'Edit',
        cell: (user) => (
          <Button aria-label={`Edit ${user.name}`} disabledReason={editDisabledReason} onClick={() => onEdit(user)}>
            Edit
          </Button>
        ),
        action: true,
        align: 'end',
        width: 88,
      },
    ],
    [editDisabledReason, onEdit],
  )
  return (
    <div className={c('users')}>
      <Table
        caption="Users"
        columns={columns}
        rows={users}
        rowKey={(user) => user.id}
        rowLabel={(user) => user.name}
        loading={loading}
        empty={empty}
      />
    </div>
  )
}

const Person = ({ name, email }: UserRow) => (
  <div className={c('person')}>
    <MiddleCut text={name} />
    <div className={c('below')}>
      <MiddleCut text={email} />
    </div>
  </div>
)

const Title = ({ company_name }: UserRow) => (
  <div className={c('title')}>
    <span>Employee</span>
    <div className={c('below')}>
      <MiddleCut text={company_name} />
    </div>
  </div>
)

const Status = ({ suspended_at }: UserRow) =>
  suspended_at === null ? (
    <Badge tone="success" icon={<CheckIcon />}>
      Active
    </Badge>
  ) : (
    <Badge tone="warning" icon={<AlertIcon />}>
      Suspended
    </Badge>
  )
