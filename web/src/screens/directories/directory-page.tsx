import type { DirectoryRow } from '@neptune/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Navigate, useParams } from 'react-router'
import { ApiError } from '../../api/api-error.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ErrorState } from '../../components/feedback/error-state.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { SelectField } from '../../components/form/field.tsx'
import { DownloadIcon, FileIcon, FolderIcon, LinkIcon, MoreIcon, UploadIcon } from '../../components/icons.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Menu } from '../../components/menu/menu.tsx'
import { FilterBar, SearchField } from '../../components/table/filter-bar.tsx'
import { SkeletonTiles } from '../../components/table/tile-grid.tsx'
import { useDirectory } from '../../features/directory/directory-queries.ts'
import { createDirectoryItems, formatDirectorySize } from '../../features/directory/directory-tiles.tsx'
import { filesQuery } from '../../features/file/file-queries.ts'
import { FileTiles } from '../../features/file/file-tiles.tsx'
import { useDownload } from '../../features/file/use-download.ts'
import { rememberPlace } from '../../features/finder/recent-places.ts'
import { toDirectoryHit } from '../../features/finder/search-queries.ts'
import { StaffPage } from '../../features/identity/staff-page.tsx'
import { OpenUploads } from '../../features/upload/open-uploads/open-uploads.tsx'
import { t } from '../../i18n/t.ts'
import { getArchivedReason } from '../../lib/archived-company.ts'
import { defaultCompany } from '../../lib/default-company.ts'
import { useFocusOnNavigation, usePageTitle } from '../../lib/page/page-title.ts'
import { paths } from '../../paths.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'
import { LinkButton } from '../shared/dialogs/link-button.tsx'
import { UploadButton } from '../shared/dialogs/upload-button.tsx'
import { HowToUpload } from '../shared/files/how-to-upload.tsx'
import { useFileActions } from '../shared/files/use-file-actions.ts'
import { type FileFilters, useFileFilters } from '../shared/files/use-file-filters.ts'
import { usePreview } from '../shared/files/use-preview.tsx'
import { PagedList } from '../shared/list/paged-list.tsx'
import { ArchivedNote } from '../shared/page/archived-note.tsx'
import { useDirectoryActions } from '../shared/items/use-directory-actions.ts'

export function DirectoryPage() {
  const { directory: id = '' } = useParams()
  const { data, error, refetch } = useDirectory(id)
  const open = useDialog()
  const removedId = useRef<string>(undefined)
  if (error instanceof ApiError && error.status === 404)
    return removedId.current === id ? <Navigate to={paths.directories} replace /> : <DirectoryNotFound />
  if (error && !data) {
    return (
      <StaffPage>
        <ErrorState
          title={t('The directory did not load.')}
          detail={error.message}
          requestId={error instanceof ApiError ? error.requestId : undefined}
          onRetry={() => void refetch()}
        />
      </StaffPage>
    )
  }
  return (
    <>
      {data ? (
        <Header
          directory={data}
          onRemove={() => {
            removedId.current = id
          }}
        />
      ) : (
        <PendingHeader />
      )}
      {data?.archived && <ArchivedNote id={data.company} name={data.client ?? defaultCompany} />}
      <OpenUploads directory={id} onCancel={(upload) => open({ kind: 'cancel-upload', upload })} />
      <Files key={id} directory={id} isArchived={data?.archived} />
    </>
  )
}

/** `onRemove` is called before the directory is deleted, so that the page can leave it. */
function Header({ directory, onRemove }: { directory: DirectoryRow; onRemove: () => void }) {
  const { id, company, client, files } = directory
  const { downloadDirectory } = useDownload()
  const name = directory.directory
  const archivedReason = getArchivedReason(directory)
  const actions = useDirectoryActions()
  const remove = (directory: DirectoryRow) => {
    onRemove()
    actions.remove(directory)
  }
  usePageTitle(name)
  useEffect(() => rememberPlace(toDirectoryHit(id, name, client)), [id, name, client])
  return (
    <PageHeader
      breadcrumbs={[...getBreadcrumbs(), { label: client ?? defaultCompany, to: `${paths.directories}?company=${company}` }]}
      name={name}
      purpose={formatDirectorySize(directory)}
      action={
        <>
          <Button
            icon={<DownloadIcon />}
            disabledReason={files === 0 ? t('This directory is empty.') : undefined}
            onClick={() => downloadDirectory(directory)}
          >
            {t('Download all')}
          </Button>
          <LinkButton company={company} directory={id} disabledReason={archivedReason} />
          <UploadButton variant="primary" company={company} directory={id} disabledReason={archivedReason} />
          <Menu
            label={t('Actions for {name}', { name })}
            items={createDirectoryItems(directory, { ...actions, remove })}
            align="end"
            trigger={<MoreIcon />}
          />
        </>
      }
    />
  )
}

const getBreadcrumbs = () => [{ label: t('Directories'), to: paths.directories }]

/** A placeholder of the same size as the header. The name is not known yet, so nothing is announced. */
function PendingHeader() {
  useFocusOnNavigation()
  const disabledReason = t('The directory is still loading.')
  return (
    <PageHeader
      breadcrumbs={getBreadcrumbs()}
      name={
        <>
          <span className="sr-only">{t('Loading')}</span>
          <Skeleton width={240} height="1.2em" />
        </>
      }
      purpose={<Skeleton width={160} height="1.5em" />}
      action={
        <>
          <Button icon={<DownloadIcon />} disabledReason={disabledReason}>
            {t('Download all')}
          </Button>
          <Button icon={<LinkIcon />} disabledReason={disabledReason}>
            {t('Create link')}
          </Button>
          <Button icon={<UploadIcon />} disabledReason={disabledReason}>
            {t('Upload file')}
          </Button>
        </>
      }
    />
  )
}

const getSortOptions = () => [
  { value: 'name', label: t('Sort by name') },
  { value: '-created_at', label: t('Newest first') },
  { value: '-size', label: t('Largest first') },
]

function Files({ directory, isArchived }: { directory: string; isArchived: boolean | undefined }) {
  const filters = useFileFilters('name')
  const { search, sort, change } = filters
  const list = useInfiniteQuery(filesQuery({ directory, search, sort }))
  const { preview, viewer } = usePreview(list)
  const actions = useFileActions(preview)
  return (
    <>
      <FilterBar>
        <SearchField
          label={t('Search this directory')}
          maxLength={100}
          value={search ?? ''}
          onSearch={(search) => change({ search })}
        />
        <SelectField
          label={t('Sort')}
          hideLabel
          options={getSortOptions()}
          value={sort}
          onChange={({ target }) => change({ sort: target.value })}
        />
      </FilterBar>
      <PagedList list={list} errorTitle={t('The files did not load.')}>
        {(files, loading) => {
          if (files.length > 0) return <FileTiles files={files} loading={loading} actions={actions} />
          if (loading) return <SkeletonTiles label={t('Files')} columns={8} />
          return search ? <NoMatch {...filters} /> : <NoFiles isArchived={isArchived} />
        }}
      </PagedList>
      {viewer}
    </>
  )
}

const DirectoryNotFound = () => (
  <StaffPage>
    <EmptyState
      icon={<FolderIcon />}
      title={t('Directory not found.')}
      action={
        <>
          <ButtonLink to={paths.directories}>{t('All directories')}</ButtonLink>
          <ButtonLink to={`${paths.trash}?of=directories`}>{t('Trash')}</ButtonLink>
        </>
      }
    >
      {t('If it was deleted, it may still be in the trash.')}
    </EmptyState>
  </StaffPage>
)

const NoFiles = ({ isArchived }: { isArchived: boolean | undefined }) =>
  isArchived ? (
    <EmptyState icon={<FileIcon />} title={t('This directory is empty.')} />
  ) : (
    <EmptyState icon={<FileIcon />} title={t('No files in this directory yet.')}>
      <HowToUpload />
    </EmptyState>
  )

const NoMatch = ({ search, clear }: FileFilters) => (
  <EmptyState
    icon={<FileIcon />}
    title={t('No file matches “{search}”.', { search: search ?? '' })}
    action={<Button onClick={clear}>{t('Clear search')}</Button>}
  />
)
