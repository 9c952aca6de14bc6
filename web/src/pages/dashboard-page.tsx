import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useIsAdmin } from '../api/session.ts'
import { classNames } from '../components/class-names.ts'
import { EmptyState } from '../components/empty-state.tsx'
import { FileIcon } from '../components/icons.tsx'
import { Panels } from '../components/panel.tsx'
import { useDelayed } from '../components/skeleton.tsx'
import { RecentActivity } from '../features/activity/recent-activity.tsx'
import { useDownload } from '../features/file/download.ts'
import { filesQuery } from '../features/file/file-queries.ts'
import { FilesTable } from '../features/file/files-table.tsx'
import { StaffPage } from '../features/identity/staff-page.tsx'
import { ExpiringLinks } from '../features/link/expiring-links.tsx'
import { dashboardQuery } from '../features/stats/stats-queries.ts'
import { Storage } from '../features/stats/storage.tsx'
import { Summary } from '../features/stats/summary.tsx'
import { Transfers } from '../features/stats/transfers.tsx'
import { t } from '../words/t.ts'
import css from './dashboard-page.module.css'
import { FilesSection } from './files-section.tsx'
import { FirstSteps } from './first-steps.tsx'
import { HowToUpload } from './how-to-upload.tsx'
import { PagedList } from './paged-list.tsx'
import { usePreview } from './use-preview.tsx'

const c = classNames(css)

/** Whoever is new sees first what to do. If it takes long to know that, it comes last: nothing is pushed down before one's eyes. */
export function DashboardPage() {
  const isAdmin = useIsAdmin()
  const files = useInfiniteQuery(newestFiles)
  const { isPending } = useQuery(dashboardQuery())
  const isLate = useDelayed(1000)
  const [stepsAt, setStepsAt] = useState<'top' | 'end'>()
  if (stepsAt === undefined && (!isPending || isLate)) setStepsAt(isPending ? 'end' : 'top')
  return (
    <StaffPage>
      <div className={c('parts')}>
        <Summary />
        {stepsAt === 'top' && <FirstSteps />}
        <div className={c('parts')} hidden={stepsAt === undefined}>
          <FilesSection>
            <NewestFiles />
          </FilesSection>
          {!files.isPending && (
            <>
              <Panels>
                <Transfers />
                <Storage isAdmin={isAdmin} />
              </Panels>
              <Panels>
                <RecentActivity />
                <ExpiringLinks />
              </Panels>
              {stepsAt === 'end' && <FirstSteps />}
            </>
          )}
        </div>
      </div>
    </StaffPage>
  )
}

const newestFiles = filesQuery({ sort: '-created_at' })

/** A few at first: there is more on this page. */
function NewestFiles() {
  const list = useInfiniteQuery(newestFiles)
  const { downloadFile } = useDownload()
  const { preview, viewer } = usePreview(list)
  return (
    <>
      <PagedList list={list} failed={t('The files did not load.')} atFirst={10}>
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
