import type { ActivityRow } from '@neptune/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useHasSeveralCompanies } from '../../api/session.ts'
import { classNames } from '../../components/class-names.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { useToast } from '../../components/feedback/toast.tsx'
import { Button } from '../../components/form/button.tsx'
import { DateField, SelectField } from '../../components/form/field.tsx'
import { ClockIcon, DownloadIcon, FileIcon, FolderIcon, LinkIcon } from '../../components/icons.tsx'
import { activityQuery, useExportActivity } from '../../features/activity/activity-queries.ts'
import { ActivityTable } from '../../features/activity/activity-table.tsx'
import { findSubject, getActionOptions, getOutcomeOptions, type Subject } from '../../features/activity/activity-texts.ts'
import { allUsersQuery, removedUsersQuery, toRemovedOptions, toUserOptions } from '../../features/user/user-queries.ts'
import { type Text, t } from '../../i18n/t.ts'
import { shortenName } from '../../lib/shorten-name.ts'
import { CompanyFilter } from '../shared/list/company-filter.tsx'
import { PagedList } from '../shared/list/paged-list.tsx'
import { SubjectFilter } from '../shared/list/subject-filter.tsx'
import { StaffPage } from '../shared/page/staff-page.tsx'
import css from './activity-page.module.css'
import { type ActivityPageFilters, useActivityFilters } from './use-activity-filters.ts'

const c = classNames(css)

export function ActivityPage() {
  const hasSeveralCompanies = useHasSeveralCompanies()
  const pageFilters = useActivityFilters()
  const list = useInfiniteQuery(activityQuery(pageFilters.filters))
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <StaffPage action={<ExportButton filters={pageFilters.filters} />}>
      {pageFilters.subjectFilter && <ActivitySubject {...pageFilters} subjectFilter={pageFilters.subjectFilter} rows={rows} />}
      <Filters {...pageFilters} hasSeveralCompanies={hasSeveralCompanies} />
      <PagedList list={list} errorTitle={t('The activity did not load.')}>
        {(rows, loading) => (
          <ActivityTable
            rows={rows}
            loading={loading}
            withCompany={hasSeveralCompanies}
            empty={pageFilters.hasFilters ? <NoMatch {...pageFilters} /> : <NoActivity />}
          />
        )}
      </PagedList>
    </StaffPage>
  )
}

function ExportButton({ filters }: Pick<ActivityPageFilters, 'filters'>) {
  const exporting = useExportActivity()
  const toast = useToast()
  return (
    <Button
      icon={<DownloadIcon />}
      busy={exporting.isBusy}
      onClick={() => exporting.run(filters, { onError: ({ message }) => toast({ message }) })}
    >
      {t('Export CSV')}
    </Button>
  )
}

function Filters({ values, change, hasSeveralCompanies }: ActivityPageFilters & { hasSeveralCompanies: boolean }) {
  const people = useQuery(allUsersQuery())
  const removed = useQuery(removedUsersQuery())
  return (
    <search className={c('filters')}>
      <SelectField
        label={t('Person')}
        placeholder={t('Everyone')}
        options={[...toUserOptions(people.data), ...toRemovedOptions(removed.data)]}
        value={values.person ?? ''}
        onChange={({ target }) => change({ person: target.value })}
      />
      {hasSeveralCompanies && (
        <CompanyFilter company={values.company} hideLabel={false} onChange={(company) => change({ company })} />
      )}
      <SelectField
        label={t('Event')}
        placeholder={t('All events')}
        options={getActionOptions()}
        value={values.action ?? ''}
        onChange={({ target }) => change({ action: target.value })}
      />
      <SelectField
        label={t('Outcome')}
        placeholder={t('Any')}
        options={getOutcomeOptions()}
        value={values.outcome ?? ''}
        onChange={({ target }) => change({ outcome: target.value })}
      />
      <DateField
        label={t('From')}
        max={values.to}
        value={values.from ?? ''}
        onChange={({ target }) => change({ from: target.value })}
      />
      <DateField
        label={t('To (a day)')}
        min={values.from}
        value={values.to ?? ''}
        onChange={({ target }) => change({ to: target.value })}
      />
    </search>
  )
}

const subjectIcons = { file: FileIcon, directory: FolderIcon, link: LinkIcon } satisfies Record<Subject, typeof FileIcon>

const subjectTexts = {
  file: ['Activity of the file “{name}”', 'Activity of one file', 'Show activity for all files'],
  directory: ['Activity of the directory “{name}”', 'Activity of one directory', 'Show activity for all directories'],
  link: ['Activity of the link “{name}”', 'Activity of one link', 'Show activity for all links'],
} as const satisfies Record<Subject, [named: Text, unnamed: Text, clearLabel: Text]>

interface ActivitySubjectProps extends Pick<ActivityPageFilters, 'change'> {
  subjectFilter: NonNullable<ActivityPageFilters['subjectFilter']>
  rows: readonly ActivityRow[]
}

/** Shows which file, directory or link the URL filters by. Without a name in the history state, uses one from the rows. */
function ActivitySubject({ subjectFilter: { subject, id, name }, rows, change }: ActivitySubjectProps) {
  const Icon = subjectIcons[subject]
  const [named, unnamed, clearLabel] = subjectTexts[subject]
  const knownName = name ?? rows.find((row) => findSubject(row)?.id === id)?.name
  return (
    <SubjectFilter
      icon={<Icon size={16} />}
      text={knownName ? t(named, { name: shortenName(knownName) }) : t(unnamed)}
      clearLabel={t(clearLabel)}
      onClear={() => change({ [subject]: '' })}
    />
  )
}

const NoActivity = () => (
  <EmptyState icon={<ClockIcon />} title={t('No activity yet.')}>
    {t('Actions and rejected attempts will appear here.')}
  </EmptyState>
)

const NoMatch = ({ clear }: ActivityPageFilters) => (
  <EmptyState
    icon={<ClockIcon />}
    title={t('No activity matches these filters.')}
    action={<Button onClick={clear}>{t('Clear filters')}</Button>}
  />
)
