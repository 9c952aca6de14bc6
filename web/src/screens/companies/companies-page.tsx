import { useInfiniteQuery } from '@tanstack/react-query'
import { useIsAdmin } from '../../api/session.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Button } from '../../components/form/button.tsx'
import { SelectField } from '../../components/form/field.tsx'
import { ArchiveIcon, PeopleIcon, PlusIcon } from '../../components/icons.tsx'
import { FilterBar, SearchField } from '../../components/table/filter-bar.tsx'
import { CompaniesTable } from '../../features/company/companies-table.tsx'
import { companyRowsQuery } from '../../features/company/company-queries.ts'
import { t } from '../../i18n/t.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'
import { PagedList } from '../shared/list/paged-list.tsx'
import { StaffPage } from '../shared/page/staff-page.tsx'
import { UsersTabs } from '../shared/page/users-tabs.tsx'
import { useCompanyActions } from './use-company-actions.ts'
import { type CompanyFilters, useCompanyFilters } from './use-company-filters.ts'

export function CompaniesPage() {
  const isAdmin = useIsAdmin()
  const filters = useCompanyFilters()
  return (
    <StaffPage title={t('Companies')} action={isAdmin && <CreateButton />}>
      <UsersTabs current="companies" />
      <FilterBar>
        <SearchField
          label={t('Search companies')}
          maxLength={100}
          value={filters.search ?? ''}
          onSearch={(search) => filters.change({ search })}
        />
        <SelectField
          label={t('State')}
          hideLabel
          options={[
            { value: '', label: t('Active (company)') },
            { value: 'archived', label: t('Archived (company)') },
          ]}
          value={filters.isArchived ? 'archived' : ''}
          onChange={({ target }) => filters.change({ state: target.value })}
        />
      </FilterBar>
      <CompanyList filters={filters} />
    </StaffPage>
  )
}

function CreateButton() {
  const open = useDialog()
  return (
    <Button variant="primary" icon={<PlusIcon />} onClick={() => open({ kind: 'create-company' })}>
      {t('Create company')}
    </Button>
  )
}

function CompanyList({ filters }: { filters: CompanyFilters }) {
  const { search, isArchived, sort, change } = filters
  const list = useInfiniteQuery(companyRowsQuery({ search, archived: isArchived ? 'true' : undefined, sort }))
  const actions = useCompanyActions()
  return (
    <PagedList list={list} errorTitle={t('The companies did not load.')}>
      {(companies, loading) => (
        <CompaniesTable
          companies={companies}
          loading={loading}
          empty={search ? <NoMatch {...filters} search={search} /> : <NoCompanies isArchived={isArchived} />}
          sort={sort}
          onSort={(sort) => change({ sort })}
          actions={actions}
        />
      )}
    </PagedList>
  )
}

const NoCompanies = ({ isArchived }: { isArchived: boolean }) =>
  isArchived ? (
    <EmptyState icon={<ArchiveIcon />} title={t('No archived companies.')} />
  ) : (
    <EmptyState icon={<PeopleIcon />} title={t('No active companies.')} />
  )

const NoMatch = ({ search, clear }: CompanyFilters & { search: string }) => (
  <EmptyState
    icon={<PeopleIcon />}
    title={t('No company matches “{search}”.', { search })}
    action={<Button onClick={clear}>{t('Clear filters')}</Button>}
  />
)
