import { useInfiniteQuery } from '@tanstack/react-query'
import { classNames } from '../components/class-names.ts'
import { EmptyState } from '../components/empty-state.tsx'
import { FileIcon } from '../components/icons.tsx'
import { useDownload } from '../features/file/download.ts'
import { filesQuery } from '../features/file/file-queries.ts'
import { FilesTable } from '../features/file/files-table.tsx'
import { StaffPage } from '../features/identity/staff-page.tsx'
import { Summary } from '../features/stats/summary.tsx'
import { t } from '../words/t.ts'
import css from './dashboard-page.module.css'
import { FilesSection } from './files-section.tsx'
import { HowToUpload } from './how-to-upload.tsx'
import { PagedList } from './paged-list.tsx'

const c = classNames(css)

export function DashboardPage() {
  return (
    <StaffPage>
      <div className={c('parts')}>
        <Summary />
        <FilesSection>
          <NewestFiles />
        </FilesSection>
      </div>
    </StaffPage>
  )
}

function NewestFiles() {
  const list = useInfiniteQuery(filesQuery({ sort: '-created_at' }))
  const { downloadFile } = useDownload()
  return (
    <PagedList list={list} failed={t('The files did not load.')}>
      {(files, loading) => <FilesTable files={files} loading={loading} empty={<NoFiles />} onDownload={downloadFile} />}
    </PagedList>
  )
}

const NoFiles = () => (
  <EmptyState icon={<FileIcon />} title={t('No files yet.')}>
    <HowToUpload />
  </EmptyState>
)
