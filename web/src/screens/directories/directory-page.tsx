import type { DirectoryRow } from '@neptune/contract'
import { useEffect, useMemo, useRef } from 'react'
import { Navigate, useNavigate, useParams } from 'react-router'
import { ApiError } from '../../api/api-error.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ErrorState } from '../../components/feedback/error-state.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Button, ButtonLink, IconButton } from '../../components/form/button.tsx'
import { DownloadIcon, FileIcon, FolderIcon, FolderPlusIcon, LinkIcon, MoreIcon } from '../../components/icons.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Menu } from '../../components/menu/menu.tsx'
import { createDirectoryItems } from '../../features/directory/directory-menu.tsx'
import { useDirectory } from '../../features/directory/directory-queries.ts'
import { formatDirectorySize } from '../../features/directory/directory-tiles.tsx'
import { useDownload } from '../../features/file/use-download.ts'
import { rememberHit } from '../../features/finder/recent-hits.ts'
import { toDirectoryHit } from '../../features/finder/search-queries.ts'
import { OpenUploads } from '../../features/upload/open-uploads/open-uploads.tsx'
import { t } from '../../i18n/t.ts'
import { getArchivedReason } from '../../lib/archived-company.ts'
import { defaultCompany } from '../../lib/default-company.ts'
import { useFocusOnNavigation, usePageTitle } from '../../lib/page/page-title.ts'
import { paths } from '../../paths.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'
import { UploadButton } from '../shared/dialogs/upload-button.tsx'
import { HowToUpload } from '../shared/files/how-to-upload.tsx'
import { useFileActions } from '../shared/files/use-file-actions.ts'
import { useFileFilters } from '../shared/files/use-file-filters.ts'
import { ItemList } from '../shared/items/item-list.tsx'
import { StaffSelectionActions } from '../shared/items/selection-actions.tsx'
import { useDirectoryActions } from '../shared/items/use-directory-actions.ts'
import { useMoveItems } from '../shared/items/use-move-items.ts'
import { ArchivedNote } from '../shared/page/archived-note.tsx'
import { StaffPage } from '../shared/page/staff-page.tsx'

export function DirectoryPage() {
  const { directory: id = '' } = useParams()
  const { data, error, refetch } = useDirectory(id)
  const open = useDialog()
  const removed = useRef<{ id: string; parent: string | null }>(undefined)
  if (error instanceof ApiError && error.status === 404) {
    const { parent } = removed.current ?? {}
    if (removed.current?.id !== id) return <DirectoryNotFound />
    return <Navigate to={parent ? paths.directory(parent) : paths.directories} replace />
  }
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
      <Header
        directory={data}
        onRemove={() => {
          removed.current = data
        }}
      />
      {data?.archived && <ArchivedNote id={data.company} name={data.client ?? defaultCompany} />}
      <OpenUploads directory={id} onCancel={(upload) => open({ kind: 'cancel-upload', upload })} />
      <Content key={id} id={id} directory={data} />
    </>
  )
}

interface HeaderProps {
  /** Undefined while it loads. */
  directory: DirectoryRow | undefined
  /** Called before the directory is deleted, so that the page can leave it. */
  onRemove: () => void
}

/** The name and actions of a directory. While it loads, nothing is announced, because its name is not known yet. */
function Header({ directory, onRemove }: HeaderProps) {
  const open = useDialog()
  const { downloadDirectory } = useDownload()
  const actions = useDirectoryActions()
  useFocusOnNavigation()
  const name = directory?.directory ?? ''
  const loadingReason = directory ? undefined : t('The directory is still loading.')
  const blockedReason = directory ? getArchivedReason(directory) : loadingReason
  const remove = (directory: DirectoryRow) => {
    onRemove()
    actions.remove(directory)
  }
  return (
    <>
      {directory && <Announcement directory={directory} />}
      <PageHeader
        breadcrumbs={getBreadcrumbs(directory)}
        name={
          directory ? (
            name
          ) : (
            <>
              <span className="sr-only">{t('Loading')}</span>
              <Skeleton width={240} height="1.2em" />
            </>
          )
        }
        purpose={directory ? formatDirectorySize(directory) : <Skeleton width={160} height="1.5em" />}
        action={
          <>
            <Button
              icon={<DownloadIcon />}
              disabledReason={directory?.files === 0 ? t('There are no files to download.') : loadingReason}
              onClick={() => directory && downloadDirectory(directory)}
            >
              {t('Download all')}
            </Button>
            <Button
              icon={<LinkIcon />}
              disabledReason={blockedReason}
              onClick={() => directory && open({ kind: 'share', company: directory.company, directory: directory.id, name })}
            >
              {t('Share')}
            </Button>
            <Button
              icon={<FolderPlusIcon />}
              disabledReason={blockedReason}
              onClick={() => directory && open({ kind: 'create-folder', parent: directory })}
            >
              {t('New folder')}
            </Button>
            <UploadButton
              variant="primary"
              disabledReason={blockedReason}
              {...(directory && { company: directory.company, directory: directory.id })}
            />
            {directory ? (
              <Menu
                label={t('Actions for {name}', { name })}
                items={createDirectoryItems(directory, { ...actions, remove })}
                align="end"
                trigger={<MoreIcon />}
              />
            ) : (
              <IconButton label={t('Actions')} icon={<MoreIcon />} aria-haspopup="menu" disabledReason={loadingReason} />
            )}
          </>
        }
      />
    </>
  )
}

/** Announces a directory, and remembers it for the search. */
function Announcement({ directory }: { directory: DirectoryRow }) {
  usePageTitle(directory.directory)
  useEffect(() => rememberHit(toDirectoryHit(directory)), [directory])
  return null
}

const getBreadcrumbs = (directory: DirectoryRow | undefined) => [
  { label: t('Directories'), to: paths.directories },
  ...(directory
    ? [
        { label: directory.client ?? defaultCompany, to: `${paths.directories}?company=${directory.company}` },
        ...directory.path.map(({ id, name }) => ({ label: name, to: paths.directory(id), directory: id })),
      ]
    : []),
]

function Content({ id, directory }: { id: string; directory: DirectoryRow | undefined }) {
  const { search, sort, change, clear } = useFileFilters('name')
  const navigate = useNavigate()
  const files = useFileActions(ignorePreview)
  const folders = useDirectoryActions()
  const move = useMoveItems()
  const actions = useMemo(
    () => ({ files, folders, openFolder: ({ id }: { id: string }) => void navigate(paths.directory(id)) }),
    [files, folders, navigate],
  )
  return (
    <ItemList
      directory={id}
      {...{ search, sort, actions }}
      searchLabel={t('Search this directory')}
      onSearch={(search) => change({ search })}
      onSort={(sort) => change({ sort })}
      isStaff
      renderActions={({ items, isAll, clear }) => (
        <StaffSelectionActions
          items={items}
          scope={directory && { directory, isAll }}
          archivedReason={directory && getArchivedReason(directory)}
          onDone={clear}
        />
      )}
      transfer={
        directory?.archived
          ? undefined
          : {
              run: (items, to, mode) => move.run({ items, to, mode }),
              pasteTarget: directory && { id, name: directory.directory },
            }
      }
      empty={<NoFiles isArchived={directory?.archived} />}
      noMatch={<NoMatch search={search ?? ''} onClear={clear} />}
    />
  )
}

/** The list previews files itself. */
const ignorePreview = () => {}

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

const NoMatch = ({ search, onClear }: { search: string; onClear: () => void }) => (
  <EmptyState
    icon={<FileIcon />}
    title={t('No file matches “{search}”.', { search })}
    action={<Button onClick={onClear}>{t('Clear search')}</Button>}
  />
)
