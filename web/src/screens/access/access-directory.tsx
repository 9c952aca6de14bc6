import type { Access, DirectoryRow } from '@neptune/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { ApiError } from '../../api/api-error.ts'
import type { Visit } from '../../api/visit.ts'
import { BrandMark } from '../../components/brand-mark.tsx'
import { classNames } from '../../components/class-names.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ErrorState } from '../../components/feedback/error-state.tsx'
import { OfflineBar } from '../../components/feedback/offline-bar.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Button } from '../../components/form/button.tsx'
import { DownloadIcon, FileIcon, FolderIcon, FolderPlusIcon, UploadIcon } from '../../components/icons.tsx'
import { Layout } from '../../components/layout/layout.tsx'
import { PageFooter } from '../../components/layout/page-footer.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { useLatest } from '../../components/use-latest.ts'
import { useDirectory } from '../../features/directory/directory-queries.ts'
import { formatDirectorySize } from '../../features/directory/directory-tiles.tsx'
import { useDownload } from '../../features/file/use-download.ts'
import { t } from '../../i18n/t.ts'
import { ErrorBoundary } from '../../lib/page/error-boundary.tsx'
import { usePageTitle } from '../../lib/page/page-title.ts'
import { HowToUpload } from '../shared/files/how-to-upload.tsx'
import { ItemList } from '../shared/items/item-list.tsx'
import { DownloadSelected } from '../shared/items/selection-actions.tsx'
import { focusSearch } from '../shared/list/use-filters.ts'
import css from './access-page.module.css'
import { describeUploadLimits } from './describe-upload-limits.ts'
import { ExpiryNotice } from './expiry-notice.tsx'
import { getSharedName, SharedFacts, sharesSeveralFiles } from './shared-facts.tsx'

const c = classNames(css)

const CreateFolderDialog = lazy(() =>
  import('../shared/items/create-folder-dialog.tsx').then((module) => ({ default: module.CreateFolderDialog })),
)
const AccessUpload = lazy(() => import('./access-upload.tsx').then((module) => ({ default: module.AccessUpload })))

interface AccessDirectoryProps {
  access: Access
  visit: Visit
  notice: ReactNode
}

/** Lists the folders and files of a shared directory, or several files, for download and, if the link allows it, accepts uploads. */
export function AccessDirectory({ access, visit, notice }: AccessDirectoryProps) {
  const { directory_id: root } = access
  const { id, data: folder, error, open, toUrl } = useOpenFolder(root, !sharesSeveralFiles(access))
  const isEditable = access.type === 'LINK_EDITABLE_DIRECTORY'
  /** The title that the specification requires. */
  const title = isEditable ? t('Directory Section') : undefined
  const current = { id, name: id === root ? getSharedName(access) : (folder?.directory ?? '') }
  usePageTitle(title ?? (current.name || getSharedName(access)))
  return (
    <Layout
      bar={
        <>
          {notice}
          <OfflineBar />
          <div className={c('bar')}>
            <BrandMark place="bar" />
          </div>
        </>
      }
      footer={<PageFooter />}
    >
      {error instanceof ApiError && error.status === 404 ? (
        <FolderGone onOpenRoot={() => open(root)} />
      ) : (
        <SharedFolder key={id} {...{ access, visit, current, title, folder, toUrl, onOpen: open }} />
      )}
    </Layout>
  )
}

/**
 * Returns the folder in the URL, or else the shared directory. A link to several files has no folders. The folder is in the URL, so that
 * Back returns to the previous one.
 */
function useOpenFolder(root: string, hasFolders: boolean) {
  const [params, setParams] = useSearchParams()
  const id = (hasFolders ? params.get('folder') : null) ?? root
  const { data, error } = useDirectory(id, hasFolders)
  /** Keeps the other parameters, such as the one with which staff preview a link. */
  const createParams = (next: string) => {
    const changed = new URLSearchParams(params)
    if (next === root) changed.delete('folder')
    else changed.set('folder', next)
    return changed
  }
  const latestOpen = useLatest((next: string) => setParams(createParams(next)))
  return {
    id,
    data,
    error,
    open: useCallback((next: string) => latestOpen.current(next), [latestOpen]),
    toUrl: (next: string) => `?${createParams(next)}`,
  }
}

interface SharedFolderProps {
  access: Access
  visit: Visit
  /** The open folder, or the shared directory. */
  current: { id: string; name: string }
  title: string | undefined
  /** The row of the open folder. Undefined while it loads. */
  folder: DirectoryRow | undefined
  /** Returns the URL of a folder. */
  toUrl: (id: string) => string
  onOpen: (id: string) => void
}

function SharedFolder({ access, visit, current, title, folder, toUrl, onOpen }: SharedFolderProps) {
  const { directory_id: root, is_preview } = access
  const isRoot = current.id === root
  const isEditable = title !== undefined
  const [dialog, setDialog] = useState<'upload' | 'folder'>()
  const { downloadDirectory } = useDownload()
  const content = isRoot ? access.files : folder?.files
  const previewReason = is_preview ? t('You can’t upload in a preview.') : undefined
  return (
    <>
      <PageHeader
        breadcrumbs={isRoot ? [] : folder?.path.map(({ id, name }) => ({ label: name, to: toUrl(id) }))}
        eyebrow={title}
        name={current.name || <Skeleton width={200} height="1.2em" label={t('Loading')} />}
        purpose={isRoot ? <SharedFacts access={access} /> : folder && formatDirectorySize(folder)}
        action={
          <>
            <Button
              variant={isEditable ? 'quiet' : 'primary'}
              icon={<DownloadIcon />}
              disabledReason={content === 0 ? t('There are no files to download.') : undefined}
              onClick={() => downloadDirectory({ id: current.id, directory: current.name })}
            >
              {t('Download all')}
            </Button>
            {isEditable && (
              <>
                <Button icon={<FolderPlusIcon />} disabledReason={previewReason} onClick={() => setDialog('folder')}>
                  {t('New folder')}
                </Button>
                <Button
                  variant="primary"
                  icon={<UploadIcon />}
                  disabledReason={previewReason}
                  onClick={() => setDialog('upload')}
                >
                  {t('Upload file')}
                </Button>
              </>
            )}
          </>
        }
      />
      {isRoot && <ExpiryNotice access={access} />}
      {isEditable && !is_preview && (
        <ErrorBoundary fallback={() => <UploadFailed />}>
          <Suspense>
            <AccessUpload
              access={{ ...access, directory_id: current.id, name: current.name }}
              visit={visit}
              isOpen={dialog === 'upload'}
              onClose={() => setDialog(undefined)}
            />
            {dialog === 'folder' && (
              <CreateFolderDialog parent={{ id: current.id, directory: current.name }} onClose={() => setDialog(undefined)} />
            )}
          </Suspense>
        </ErrorBoundary>
      )}
      <Content {...{ access, current, onOpen }} />
    </>
  )
}

/** Shown when the open folder was deleted, or moved out of what is shared. */
const FolderGone = ({ onOpenRoot }: { onOpenRoot: () => void }) => (
  <EmptyState
    icon={<FolderIcon />}
    title={t('This folder is no longer here.')}
    action={<Button onClick={onOpenRoot}>{t('Show all files')}</Button>}
  >
    {t('It was deleted or moved.')}
  </EmptyState>
)

/** Shown when the upload script fails to load. Browsers cache a failed module, so only a reload can retry. */
const UploadFailed = () => (
  <ErrorState
    title={t('The upload form did not load.')}
    detail={t('Check your connection, then reload the page.')}
    action={<Button onClick={() => location.reload()}>{t('Reload')}</Button>}
  />
)

function Content({ access, current, onOpen }: Pick<SharedFolderProps, 'access' | 'current' | 'onOpen'>) {
  const [search, setSearch] = useState('')
  const [sort, setSort] = useState('name')
  const { downloadFile, downloadDirectory } = useDownload()
  const client = useQueryClient()
  const actions = useMemo(
    () => ({
      files: { download: downloadFile },
      folders: { download: downloadDirectory },
      openFolder: ({ id }: { id: string }) => onOpen(id),
    }),
    [downloadFile, downloadDirectory, onOpen],
  )
  // Someone else may add or remove files.
  useOnChange(`${access.files} ${access.size}`, () => void client.invalidateQueries({ queryKey: ['files'] }))
  const clear = () => {
    setSearch('')
    focusSearch()
  }
  return (
    <>
      {access.files > 0 && <p className={c('hint')}>{t('Press a file to download it.')}</p>}
      <ItemList
        directory={sharesSeveralFiles(access) ? '' : current.id}
        search={search || undefined}
        searchLabel={t('Search files')}
        onSearch={setSearch}
        sort={sort as ComponentProps<typeof ItemList>['sort']}
        onSort={setSort}
        actions={actions}
        isStaff={false}
        renderActions={({ items, isAll }) => (
          <DownloadSelected items={items} scope={{ directory: { id: current.id, directory: current.name }, isAll }} />
        )}
        empty={<NoFiles access={access} />}
        noMatch={<NoMatch search={search} onClear={clear} />}
      />
    </>
  )
}

/** Calls `onChange` when `value` changes after the first render. */
function useOnChange(value: string, onChange: () => void) {
  const lastValue = useRef(value)
  useEffect(() => {
    if (lastValue.current === value) return
    lastValue.current = value
    onChange()
  })
}

const NoFiles = ({ access }: { access: Access }) => (
  <EmptyState icon={<FileIcon />} title={t('No files here yet.')}>
    {access.upload_limits ? (
      <>
        <HowToUpload /> {describeUploadLimits(access)}
      </>
    ) : (
      t('New files appear here automatically.')
    )}
  </EmptyState>
)

const NoMatch = ({ search, onClear }: { search: string; onClear: () => void }) => (
  <EmptyState
    icon={<FileIcon />}
    title={t('No file matches “{search}”.', { search })}
    action={<Button onClick={onClear}>{t('Clear search')}</Button>}
  />
)
