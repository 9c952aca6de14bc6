import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useHasSeveralCompanies } from '../../api/session.ts'
import { classNames } from '../../components/class-names.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { useDelayed } from '../../components/feedback/skeleton.tsx'
import { FileIcon } from '../../components/icons.tsx'
import { Panels } from '../../components/layout/panel.tsx'
import { RecentActivity } from '../../features/activity/recent-activity.tsx'
import { filesQuery } from '../../features/file/file-queries.ts'
import { FilesTable } from '../../features/file/files-table.tsx'
import { useDownload } from '../../features/file/use-download.ts'
import { StaffPage } from '../../features/identity/staff-page.tsx'
import { ExpiringLinks } from '../../features/link/expiring-links.tsx'
import { dashboardQuery } from '../../features/stats/stats-queries.ts'
import { StorageUsage } from '../../features/stats/storage-usage.tsx'
import { Summary } from '../../features/stats/summary.tsx'
import { Transfers } from '../../features/stats/transfers.tsx'
import { t } from '../../i18n/t.ts'
import { HowToUpload } from '../shared/files/how-to-upload.tsx'
import { usePreview } from '../shared/files/use-preview.tsx'
import { PagedList } from '../shared/list/paged-list.tsx'
import css from './dashboard-page.module.css'
import { FilesSection } from './files-section.tsx'
import { FirstSteps, useSetUpButton } from './first-steps.tsx'

const c = classNames(css)

/**
 * Shows the summary and the Files table, as specified, and everything else below. The first steps of a new installation come
 * right after the table; if loading them takes long they come last, so that nothing on the screen is pushed down.
 */
export function DashboardPage() {
  const hasSeveralCompanies = useHasSeveralCompanies()
  const files = useInfiniteQuery(newestFilesQuery)
  const { isPending } = useQuery(dashboardQuery())
  const isLate = useDelayed(1000)
  const [stepsPosition, setStepsPosition] = useState<'first' | 'last'>()
  if (stepsPosition === undefined && (!isPending || isLate)) setStepsPosition(isPending ? 'last' : 'first')
  return (
    <StaffPage action={useSetUpButton()}>
      <div className={c('parts')}>
        <Summary />
        <FilesSection>
          <NewestFiles />
        </FilesSection>
        {!files.isPending && stepsPosition && (
          <>
            {stepsPosition === 'first' && <FirstSteps />}
            <Panels>
              <Transfers />
              <StorageUsage hasSeveralCompanies={hasSeveralCompanies} />
            </Panels>
            <Panels>
              <RecentActivity />
              <ExpiringLinks />
            </Panels>
            {stepsPosition === 'last' && <FirstSteps />}
          </>
        )}
      </div>
    </StaffPage>
  )
}

const newestFilesQuery = filesQuery({ sort: '-created_at' })

/** Shows only a few files at first, because more sections follow. */
function NewestFiles() {
  const list = useInfiniteQuery(newestFilesQuery)
  const { downloadFile } = useDownload()
  const { preview, viewer } = usePreview(list)
  return (
    <>
      <PagedList list={list} errorTitle={t('The files did not load.')} initialRows={10}>
        {(files, loading) => (
          <FilesTable files={files} loading={loading} empty={<NoFiles />} onDownload={downloadFile} onPreview={preview} />
        )}
      </PagedList>
      {viewer}
    </>
  )
}

const NoFiles = () => (
  <EmptyState icon={<FileIcon />} title={t('No files yet.')}>
    <HowToUpload />
  </EmptyState>
)
