import type { FileRow } from '@neptune/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useHasSeveralCompanies } from '../../api/session.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Button } from '../../components/form/button.tsx'
import { SelectField } from '../../components/form/field.tsx'
import { FileIcon } from '../../components/icons.tsx'
import { FilterBar, SearchField } from '../../components/table/filter-bar.tsx'
import { SelectionBar } from '../../components/table/selection-bar.tsx'
import { toDirectoryOptions } from '../../features/company/company-options.ts'
import { companiesQuery, useUnlistedCompany } from '../../features/company/company-queries.ts'
import { companyDirectoriesQuery } from '../../features/directory/directory-queries.ts'
import { getKindOptions } from '../../features/file/file-kinds.tsx'
import { filesQuery } from '../../features/file/file-queries.ts'
import { FilesTable } from '../../features/file/files-table.tsx'
import { t } from '../../i18n/t.ts'
import { getArchivedReason } from '../../lib/archived-company.ts'
import { UploadButton } from '../shared/dialogs/upload-button.tsx'
import { HowToUpload } from '../shared/files/how-to-upload.tsx'
import { useFileActions } from '../shared/files/use-file-actions.ts'
import { type FileFilters, useFileFilters } from '../shared/files/use-file-filters.ts'
import { usePreview } from '../shared/files/use-preview.tsx'
import { StaffSelectionActions } from '../shared/items/selection-actions.tsx'
import { CompanyFilter } from '../shared/list/company-filter.tsx'
import { PagedList } from '../shared/list/paged-list.tsx'
import { ArchivedFilterNote } from '../shared/page/archived-note.tsx'
import { StaffPage } from '../shared/page/staff-page.tsx'

export function FilesPage() {
  return (
    <StaffPage action={<UploadButton variant="primary" />}>
      <Files />
    </StaffPage>
  )
}

function Files() {
  const filters = useFileFilters('-created_at')
  const { search, company, directory, kind, sort, change } = filters
  const list = useInfiniteQuery(filesQuery({ search, company, directory, kind, sort }))
  const { preview, viewer } = usePreview(list)
  const actions = useFileActions(preview)
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set())
  // `selectedIds` may still contain files that are no longer in the list.
  const files = getRows(list.data)
  const selectedFiles = files.filter(({ id }) => selectedIds.has(id))
  const clearSelection = () => setSelectedIds(new Set())
  return (
    <>
      <FilterBar>
        <Filters {...filters} />
      </FilterBar>
      <ArchivedFilterNote company={company} />
      <PagedList list={list} errorTitle={t('The files did not load.')}>
        {(files, loading) => (
          <FilesTable
            files={files}
            loading={loading}
            empty={search || company || directory || kind ? <NoMatch {...filters} /> : <NoFiles />}
            onDownload={actions.download}
            onPreview={preview}
            actions={actions}
            selected={selectedIds}
            onSelect={setSelectedIds}
            sort={sort}
            onSort={(sort) => change({ sort })}
          />
        )}
      </PagedList>
      {viewer}
      {selectedFiles.length > 0 && (
        <SelectionBar
          count={selectedFiles.length}
          isPartial={selectedFiles.length === files.length && list.hasNextPage}
          onClear={clearSelection}
        >
          <StaffSelectionActions
            items={{ files: selectedFiles, folders: [] }}
            scope={undefined}
            archivedReason={selectedFiles.map(getArchivedReason).find(Boolean)}
            onDone={clearSelection}
          />
        </SelectionBar>
      )}
    </>
  )
}

const getRows = (list: { pages: { data: FileRow[] }[] } | undefined) => list?.pages.flatMap(({ data }) => data) ?? []

function Filters({ search, company, directory, kind, change }: FileFilters) {
  const hasSeveralCompanies = useHasSeveralCompanies()
  const companies = useQuery(companiesQuery())
  const archivedDirectories = useQuery(companyDirectoriesQuery(useUnlistedCompany(company)?.id ?? ''))
  return (
    <>
      <SearchField label={t('Search files')} maxLength={100} value={search ?? ''} onSearch={(search) => change({ search })} />
      {hasSeveralCompanies && <CompanyFilter company={company} onChange={(company) => change({ company, directory: '' })} />}
      <SelectField
        label={t('Directory')}
        hideLabel
        placeholder={t('All directories')}
        options={
          archivedDirectories.data?.map(({ id, directory }) => ({ value: id, label: directory })) ??
          toDirectoryOptions(companies.data, company)
        }
        value={directory ?? ''}
        onChange={({ target }) => change({ directory: target.value })}
      />
      <SelectField
        label={t('Kind')}
        hideLabel
        placeholder={t('All kinds')}
        options={getKindOptions()}
        value={kind ?? ''}
        onChange={({ target }) => change({ kind: target.value })}
      />
    </>
  )
}

const NoFiles = () => (
  <EmptyState icon={<FileIcon />} title={t('No files yet.')}>
    <HowToUpload />
  </EmptyState>
)

const NoMatch = ({ search, clear }: FileFilters) => (
  <EmptyState
    icon={<FileIcon />}
    title={search ? t('No file matches “{search}”.', { search }) : t('No file matches these filters.')}
    action={<Button onClick={clear}>{t('Clear filters')}</Button>}
  />
)
