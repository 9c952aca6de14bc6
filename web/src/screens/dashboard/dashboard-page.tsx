import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { useHasSeveralCompanies } from '../../api/session.ts'
import { classNames } from '../../components/class-names.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { useDelayed } from '../../components/feedback/skeleton.tsx'
import { FileIcon } from '../../components/icons.tsx'
import { Panels } from '../../components/layout/panel.tsx'
import { FactorNote } from '../../features/factor/factor-note.tsx'
import { factorsQuery } from '../../features/factor/factor-queries.ts'
import { filesQuery } from '../../features/file/file-queries.ts'
import { FilesTable } from '../../features/file/files-table.tsx'
import { useDownload } from '../../features/file/use-download.ts'
import { dashboardQuery, statsQuery } from '../../features/stats/stats-queries.ts'
import { StorageUsage } from '../../features/stats/storage-usage.tsx'
import { Summary } from '../../features/stats/summary.tsx'
import { Transfers } from '../../features/stats/transfers.tsx'
import { t } from '../../i18n/t.ts'
import { paths } from '../../paths.ts'
import { HowToUpload } from '../shared/files/how-to-upload.tsx'
import { usePreview } from '../shared/files/use-preview.tsx'
import { PagedList } from '../shared/list/paged-list.tsx'
import { StaffPage } from '../shared/page/staff-page.tsx'
import { Attention, AttentionButton } from './attention.tsx'
import css from './dashboard-page.module.css'
import { FilesSection } from './files-section.tsx'
import { FirstSteps, useSetUpButton } from './first-steps.tsx'
import { News } from './news.tsx'

const c = classNames(css)

/**
 * Shows the summary and the Files table, as specified. The attention list and the news are beside the table, or right after it on narrow
 * screens. If there are none, the first steps take their place; otherwise the first steps follow. If it takes over a second to find out,
 * the first steps come last and the place beside the table stays empty, so that nothing on the screen moves.
 */
export function DashboardPage() {
  const files = useInfiniteQuery(newestFilesQuery)
  const isLate = useDelayed(1000)
  const asideState = useAsideState()
  const [stepsPosition, setStepsPosition] = useState<'first' | 'last'>()
  const isAsideUnknown = asideState === 'unknown'
  if (stepsPosition === undefined && (!isAsideUnknown || isLate)) setStepsPosition(isAsideUnknown ? 'last' : 'first')
  const keepsPlace = files.isPending || isAsideUnknown || (asideState === 'none' && stepsPosition === 'last')
  const hasStepsAside = asideState === 'none' && stepsPosition === 'first'
  return (
    <StaffPage action={useSetUpButton() ?? <AttentionButton />}>
      <div className={c('parts')}>
        <RequiredFactor />
        <Summary />
        <div className={c('body')}>
          <FilesSection>
            <NewestFiles />
          </FilesSection>
          <div className={c('aside', keepsPlace && 'reserved')}>
            {!files.isPending && (hasStepsAside ? <FirstSteps /> : asideState !== 'none' && <AttentionAndNews />)}
          </div>
          {!files.isPending && stepsPosition && (
            <div className={c('rest')}>
              {stepsPosition === 'first' && !hasStepsAside && <FirstSteps />}
              <Overview />
              {stepsPosition === 'last' && <FirstSteps />}
            </div>
          )}
        </div>
      </div>
    </StaffPage>
  )
}

/** Tells people without a second factor that the organisation will require one. */
function RequiredFactor() {
  const { data: factors } = useQuery(factorsQuery())
  return (
    factors && (
      <FactorNote factors={factors}>
        <Link to={paths.account}>{t('Set one up')}</Link>
      </FactorNote>
    )
  )
}

/** Returns whether to show the attention list and the news. Users without links see them only if there is something to show. */
function useAsideState(): 'some' | 'none' | 'unknown' {
  const { data, isPending } = useQuery(dashboardQuery())
  const stats = useQuery(statsQuery())
  if (isPending || stats.isPending) return 'unknown'
  const hasLinks = stats.data?.data.links !== 0
  return hasLinks || !data || data.attention.rows.length > 0 || data.news.length > 0 ? 'some' : 'none'
}

function AttentionAndNews() {
  const news = useQuery(dashboardQuery()).data?.news
  const totals = useQuery(statsQuery()).data?.data
  return (
    <>
      <Attention />
      {news && (news.length > 0 || totals?.links !== 0) && <News rows={news} />}
    </>
  )
}

function Overview() {
  const hasSeveralCompanies = useHasSeveralCompanies()
  return (
    <Panels>
      <Transfers />
      <StorageUsage hasSeveralCompanies={hasSeveralCompanies} />
    </Panels>
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
