import type { Access } from '@neptune/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useCaller } from '../../api/caller.ts'
import type { Visit } from '../../api/visit.ts'
import { BrandMark } from '../../components/brand-mark.tsx'
import { classNames } from '../../components/class-names.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ErrorState } from '../../components/feedback/error-state.tsx'
import { Button } from '../../components/form/button.tsx'
import { SelectField } from '../../components/form/field.tsx'
import { DownloadIcon, FileIcon, UploadIcon } from '../../components/icons.tsx'
import { Layout } from '../../components/layout/layout.tsx'
import { PageFooter } from '../../components/layout/page-footer.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { FilterBar, SearchField } from '../../components/table/filter-bar.tsx'
import { SkeletonTiles } from '../../components/table/tile-grid.tsx'
import { type FileFilter, filesQuery } from '../../features/file/file-queries.ts'
import { FileTiles } from '../../features/file/file-tiles.tsx'
import { useDownload } from '../../features/file/use-download.ts'
import { OfflineBar } from '../../features/identity/offline-bar.tsx'
import { t } from '../../i18n/t.ts'
import { ErrorBoundary } from '../../lib/page/error-boundary.tsx'
import { usePageTitle } from '../../lib/page/page-title.ts'
import { HowToUpload } from '../shared/files/how-to-upload.tsx'
import { usePreview } from '../shared/files/use-preview.tsx'
import { PagedList } from '../shared/list/paged-list.tsx'
import { focusSearch } from '../shared/list/use-filters.ts'
import css from './access-page.module.css'
import { describeUploadLimits } from './describe-upload-limits.ts'
import { ExpiryNotice } from './expiry-notice.tsx'
import { SharedFacts } from './shared-facts.tsx'

const c = classNames(css)

const AccessUpload = lazy(() => import('./access-upload.tsx').then((module) => ({ default: module.AccessUpload })))

interface AccessDirectoryProps {
  access: Access
  visit: Visit
  notice: ReactNode
}

/** Lists the files of a shared directory for download and, if the link allows it, accepts uploads. */
export function AccessDirectory({ access, visit, notice }: AccessDirectoryProps) {
  const { name, directory_id, files, is_preview } = access
  const isEditable = access.type === 'LINK_EDITABLE_DIRECTORY'
  /** The title of the specification. */
  const title = isEditable ? t('Directory Section') : undefined
  const [isUploading, setUploading] = useState(false)
  const { downloadDirectory } = useDownload()
  usePageTitle(title ?? name)
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
      <PageHeader
        eyebrow={title}
        name={name}
        purpose={<SharedFacts access={access} />}
        action={
          <>
            <Button
              variant={isEditable ? 'quiet' : 'primary'}
              icon={<DownloadIcon />}
              disabledReason={files === 0 ? t('This directory is empty.') : undefined}
              onClick={() => downloadDirectory({ id: directory_id, directory: name })}
            >
              {t('Download all')}
            </Button>
            {isEditable && (
              <Button
                variant="primary"
                icon={<UploadIcon />}
                disabledReason={is_preview ? t('You can’t upload in a preview.') : undefined}
                onClick={() => setUploading(true)}
              >
                {t('Upload file')}
              </Button>
            )}
          </>
        }
      />
      <ExpiryNotice access={access} />
      {isEditable && !is_preview && (
        <ErrorBoundary fallback={() => <UploadFailed />}>
          <Suspense>
            <AccessUpload access={access} visit={visit} isOpen={isUploading} onClose={() => setUploading(false)} />
          </Suspense>
        </ErrorBoundary>
      )}
      <Files access={access} />
    </Layout>
  )
}

/** Shown when the upload script fails to load. Browsers cache a failed module, so only a reload can retry. */
const UploadFailed = () => (
  <ErrorState
    title={t('The upload form did not load.')}
    detail={t('Check your connection, then reload the page.')}
    action={<Button onClick={() => location.reload()}>{t('Reload')}</Button>}
  />
)

/** Directories with more files than this show the sort select. */
const sortThreshold = 8

const sortOptions = [
  { value: 'name', label: 'Sort by name' },
  { value: '-created_at', label: 'Newest first' },
  { value: '-size', label: 'Largest first' },
] as const

function Files({ access }: { access: Access }) {
  const [search, setSearch] = useState('')
  const [sort, setSort] = useState('name')
  const filter = { search: search || undefined, sort } as FileFilter
  const list = useInfiniteQuery(filesQuery(filter, useCaller()))
  const { downloadFile } = useDownload()
  const { preview, viewer } = usePreview(list, false)
  const actions = useMemo(() => ({ preview, download: downloadFile }), [preview, downloadFile])
  // Someone else may add or remove files.
  useOnChange(`${access.files} ${access.size}`, () => void list.refetch())
  const clear = () => {
    setSearch('')
    focusSearch()
  }
  if (access.files === 0 && list.data?.pages[0]?.data.length === 0 && !search) return <NoFiles access={access} />
  return (
    <>
      <FilterBar>
        <SearchField label={t('Search files')} maxLength={100} value={search} onSearch={setSearch} />
        {access.files > sortThreshold && (
          <SelectField
            label={t('Sort')}
            hideLabel
            options={sortOptions.map(({ value, label }) => ({ value, label: t(label) }))}
            value={sort}
            onChange={({ target }) => setSort(target.value)}
          />
        )}
      </FilterBar>
      <p className={c('hint')}>{t('Press a file to download it.')}</p>
      <PagedList list={list} errorTitle={t('The files did not load.')}>
        {(files, loading) => {
          if (files.length > 0) return <FileTiles files={files} loading={loading} actions={actions} />
          if (loading) return <SkeletonTiles label={t('Files')} columns={8} />
          return search ? <NoMatch search={search} onClear={clear} /> : <NoFiles access={access} />
        }}
      </PagedList>
      {viewer}
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
