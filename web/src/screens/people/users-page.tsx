import type { UserRow } from '@neptune/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useHasSeveralCompanies, useIsAdmin } from '../../api/session.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Button } from '../../components/form/button.tsx'
import { SelectField } from '../../components/form/field.tsx'
import { PeopleIcon, PlusIcon } from '../../components/icons.tsx'
import { FilterBar, SearchField } from '../../components/table/filter-bar.tsx'
import { companiesQuery } from '../../features/company/company-queries.ts'
import { usersQuery } from '../../features/user/user-queries.ts'
import { UsersTable } from '../../features/user/users-table.tsx'
import { t } from '../../i18n/t.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'
import { CompanyFilter } from '../shared/list/company-filter.tsx'
import { PagedList } from '../shared/list/paged-list.tsx'
import { StaffPage } from '../shared/page/staff-page.tsx'
import { UsersTabs } from '../shared/page/users-tabs.tsx'
import { type UserFilters, useUserFilters } from './use-user-filters.ts'

export function UsersPage() {
  const isAdmin = useIsAdmin()
  const hasSeveralCompanies = useHasSeveralCompanies()
  const filters = useUserFilters()
  return (
    <StaffPage action={isAdmin && <Actions company={filters.company} />}>
      <UsersTabs current="users" />
      <FilterBar>
        <SearchField
          label={t('Search users')}
          maxLength={100}
          value={filters.search ?? ''}
          onSearch={(search) => filters.change({ search })}
        />
        {hasSeveralCompanies && <CompanyFilter company={filters.company} onChange={(company) => filters.change({ company })} />}
        {isAdmin && <RenameButton id={filters.company} />}
        <SelectField
          label={t('Sort')}
          hideLabel
          options={getSortOptions()}
          value={filters.sort}
          onChange={({ target }) => filters.change({ sort: target.value })}
        />
      </FilterBar>
      <UserList filters={filters} isAdmin={isAdmin} />
    </StaffPage>
  )
}

const getSortOptions = () => [
  { value: 'name', label: t('Sort by name') },
  { value: 'email', label: t('Sort by email') },
  { value: '-created_at', label: t('Newest first') },
]

/** A new user gets the company that the list is filtered by. */
function Actions({ company }: { company: string | undefined }) {
  const open = useDialog()
  return (
    <>
      <Button onClick={() => open({ kind: 'create-company' })}>{t('Create company')}</Button>
      <Button variant="primary" icon={<PlusIcon />} onClick={() => open({ kind: 'create-user', ...(company && { company }) })}>
        {t('Add user')}
      </Button>
    </>
  )
}

/** Renames the company that the list is filtered by. */
function RenameButton({ id }: { id: string | undefined }) {
  const open = useDialog()
  const company = useQuery(companiesQuery()).data?.find((company) => company.id === id)
  return company && <Button onClick={() => open({ kind: 'rename-company', company })}>{t('Rename company')}</Button>
}

function UserList({ filters, isAdmin }: { filters: UserFilters; isAdmin: boolean }) {
  const { search, company, sort } = filters
  const list = useInfiniteQuery(usersQuery({ search, company, sort }))
  const open = useDialog()
  const edit = useCallback((user: UserRow) => open({ kind: 'update-user', user }), [open])
  return (
    <PagedList list={list} errorTitle={t('The users did not load.')}>
      {(users, loading) => (
        <UsersTable users={users} loading={loading} empty={<NoMatch {...filters} />} onEdit={isAdmin ? edit : undefined} />
      )}
    </PagedList>
  )
}

const NoMatch = ({ search, clear }: UserFilters) => (
  <EmptyState
    icon={<PeopleIcon />}
    title={search ? t('No user matches “{search}”.', { search }) : t('No user matches these filters.')}
    action={<Button onClick={clear}>{t('Clear filters')}</Button>}
  />
)
