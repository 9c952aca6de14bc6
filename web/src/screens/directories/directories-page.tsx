import { useInfiniteQuery } from '@tanstack/react-query'
import { useHasSeveralCompanies } from '../../api/session.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Button } from '../../components/form/button.tsx'
import { SelectField } from '../../components/form/field.tsx'
import { FolderIcon, PlusIcon } from '../../components/icons.tsx'
import { FilterBar, SearchField } from '../../components/table/filter-bar.tsx'
import { SkeletonTiles } from '../../components/table/tile-grid.tsx'
import { directoriesQuery } from '../../features/directory/directory-queries.ts'
import { DirectoryTiles } from '../../features/directory/directory-tiles.tsx'
import { t } from '../../i18n/t.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'
import { useDirectoryActions } from '../shared/items/use-directory-actions.ts'
import { CompanyFilter } from '../shared/list/company-filter.tsx'
import { PagedList } from '../shared/list/paged-list.tsx'
import { ArchivedFilterNote } from '../shared/page/archived-note.tsx'
import { StaffPage } from '../shared/page/staff-page.tsx'
import { type DirectoryFilters, useDirectoryFilters } from './use-directory-filters.ts'

export function DirectoriesPage() {
  const hasSeveralCompanies = useHasSeveralCompanies()
  const filters = useDirectoryFilters()
  return (
    <StaffPage action={<CreateButton variant="primary" company={filters.company} />}>
      <FilterBar>
        <SearchField
          label={t('Search directories')}
          maxLength={100}
          value={filters.search ?? ''}
          onSearch={(search) => filters.change({ search })}
        />
        {hasSeveralCompanies && <CompanyFilter company={filters.company} onChange={(company) => filters.change({ company })} />}
        <SelectField
          label={t('Sort')}
          hideLabel
          options={getSortOptions()}
          value={filters.sort}
          onChange={({ target }) => filters.change({ sort: target.value })}
        />
      </FilterBar>
      <ArchivedFilterNote company={filters.company} />
      <DirectoryList filters={filters} hasSeveralCompanies={hasSeveralCompanies} />
    </StaffPage>
  )
}

const getSortOptions = () => [
  { value: 'name', label: t('Sort by name') },
  { value: '-created_at', label: t('Newest first') },
]

function CreateButton({ variant, company }: { variant?: 'primary'; company: string | undefined }) {
  const open = useDialog()
  return (
    <Button variant={variant} icon={<PlusIcon />} onClick={() => open({ kind: 'create-directory', ...(company && { company }) })}>
      {t('Create Directory')}
    </Button>
  )
}

function DirectoryList({ filters, hasSeveralCompanies }: { filters: DirectoryFilters; hasSeveralCompanies: boolean }) {
  const { search, company, sort } = filters
  const list = useInfiniteQuery(directoriesQuery({ search, company, sort }))
  const actions = useDirectoryActions()
  return (
    <PagedList list={list} errorTitle={t('The directories did not load.')}>
      {(directories, loading) => {
        if (directories.length > 0) {
          return (
            <DirectoryTiles directories={directories} loading={loading} withCompany={hasSeveralCompanies} actions={actions} />
          )
        }
        if (loading) return <SkeletonTiles label={t('Directories')} columns={4} />
        return search || company ? <NoMatch {...filters} /> : <NoDirectories />
      }}
    </PagedList>
  )
}

const NoDirectories = () => (
  <EmptyState icon={<FolderIcon />} title={t('No directories yet.')} action={<CreateButton company={undefined} />}>
    {t('Create one to upload files to.')}
  </EmptyState>
)

const NoMatch = ({ search, clear }: DirectoryFilters) => (
  <EmptyState
    icon={<FolderIcon />}
    title={search ? t('No directory matches “{search}”.', { search }) : t('No directory matches these filters.')}
    action={<Button onClick={clear}>{t('Clear filters')}</Button>}
  />
)
