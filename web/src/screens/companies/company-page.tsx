import type { CompanyDetails } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useParams } from 'react-router'
import { ApiError } from '../../api/api-error.ts'
import { useHasSeveralCompanies } from '../../api/session.ts'
import { classNames } from '../../components/class-names.ts'
import { Badge } from '../../components/feedback/badge.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ErrorState } from '../../components/feedback/error-state.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { ArchiveIcon, LinkIcon, PeopleIcon, PlusIcon, UndoIcon } from '../../components/icons.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Panel, PanelNote, Panels } from '../../components/layout/panel.tsx'
import { RecentActivity } from '../../features/activity/recent-activity.tsx'
import { type CompanyActions, CompanyMenu } from '../../features/company/company-menu.tsx'
import { companyQuery } from '../../features/company/company-queries.ts'
import { CompanyUsage } from '../../features/company/company-usage.tsx'
import { rememberHit } from '../../features/finder/recent-hits.ts'
import { toCompanyHit } from '../../features/finder/search-queries.ts'
import { t } from '../../i18n/t.ts'
import { useFocusOnNavigation, usePageTitle } from '../../lib/page/page-title.ts'
import { formatSize } from '../../lib/sizes.ts'
import { formatDateTime } from '../../lib/time/dates.ts'
import { paths } from '../../paths.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'
import { UploadButton } from '../shared/dialogs/upload-button.tsx'
import { StaffPage } from '../shared/page/staff-page.tsx'
import { BrandPanel } from './brand-panel.tsx'
import { CompanyDirectories, CompanyLinks, CompanyPeople } from './company-lists.tsx'
import css from './company-page.module.css'
import { useCompanyActions } from './use-company-actions.ts'

const c = classNames(css)

export function CompanyPage() {
  const { id = '' } = useParams()
  const { data: company, error, refetch } = useQuery(companyQuery(id))
  const actions = useCompanyActions()
  if (error instanceof ApiError && error.status === 404) return <CompanyNotFound />
  if (error && !company) {
    return (
      <StaffPage>
        <ErrorState
          title={t('The company did not load.')}
          detail={error.message}
          requestId={error instanceof ApiError ? error.requestId : undefined}
          onRetry={() => void refetch()}
        />
      </StaffPage>
    )
  }
  return (
    <>
      {company ? <Header company={company} actions={actions} /> : <PendingHeader />}
      <div key={id} className={c('sections')}>
        <Panels>
          <CompanyDirectories company={id} />
          <CompanyLinks company={id} />
        </Panels>
        <Panels>
          <div className={c('sections')}>
            <CompanyPeople company={id} />
            {company && actions && <BrandPanel company={company} onEdit={() => actions.editBrand(company)} />}
          </div>
          <div className={c('sections')}>
            <StoragePanel company={company} actions={actions} />
            {company && <NotePanel company={company} actions={actions} />}
          </div>
        </Panels>
        <RecentActivity company={id} maxShown={5} />
      </div>
    </>
  )
}

interface SectionProps {
  company: CompanyDetails
  actions: CompanyActions | undefined
}

function Header({ company, actions }: SectionProps) {
  const { id, name, archived_at } = company
  const breadcrumbs = useBreadcrumbs()
  const open = useDialog()
  usePageTitle(name)
  useEffect(() => rememberHit(toCompanyHit({ id, name })), [id, name])
  return (
    <PageHeader
      breadcrumbs={breadcrumbs}
      name={
        <span className={c('title')}>
          {name}
          {archived_at !== null && (
            <Badge tone="neutral" icon={<ArchiveIcon />}>
              {t('Archived (company)')}
            </Badge>
          )}
        </span>
      }
      purpose={describeState(company)}
      action={
        <>
          {archived_at === null ? (
            <>
              {actions && <Button onClick={() => open({ kind: 'create-user', company: id })}>{t('Add user')}</Button>}
              <UploadButton company={id} />
              <Button icon={<LinkIcon />} onClick={() => open({ kind: 'create-link', company: id })}>
                {t('Create link')}
              </Button>
              <Button variant="primary" icon={<PlusIcon />} onClick={() => open({ kind: 'create-directory', company: id })}>
                {t('Create Directory')}
              </Button>
            </>
          ) : (
            actions && (
              <Button icon={<UndoIcon />} onClick={() => actions.restore(company)}>
                {t('Restore company')}
              </Button>
            )
          )}
          {actions && <CompanyMenu company={company} label={name} actions={actions} />}
        </>
      }
    />
  )
}

const describeState = ({ created_at, archived_at }: CompanyDetails) =>
  archived_at === null
    ? t('Created on {date}', { date: formatDateTime(created_at) })
    : t('Archived on {date}. Its links don’t work, and its people can’t sign in.', { date: formatDateTime(archived_at) })

/** Someone who sees only their own company has no list of companies. */
function useBreadcrumbs() {
  const hasSeveralCompanies = useHasSeveralCompanies()
  return [
    hasSeveralCompanies ? { label: t('Companies'), to: paths.companies } : { label: t('Users'), to: paths.clients },
  ] as const
}

/** A placeholder of the same size as the header. The name is not known yet, so nothing is announced. */
function PendingHeader() {
  const breadcrumbs = useBreadcrumbs()
  useFocusOnNavigation()
  return (
    <PageHeader
      breadcrumbs={breadcrumbs}
      name={
        <>
          <span className="sr-only">{t('Loading')}</span>
          <Skeleton width={240} height="1.2em" />
        </>
      }
      purpose={<Skeleton width={160} height="1.5em" />}
      action={
        <Button icon={<PlusIcon />} disabledReason={t('The company is still loading.')}>
          {t('Create Directory')}
        </Button>
      }
    />
  )
}

function StoragePanel({ company, actions }: { company: CompanyDetails | undefined; actions: CompanyActions | undefined }) {
  return (
    <Panel
      title={t('Storage')}
      more={company && actions && <Button onClick={() => actions.setQuota(company)}>{t('Set quota')}</Button>}
    >
      {company ? <CompanyUsage {...company} /> : <Skeleton width="60%" label={t('Loading')} />}
      {company && <PanelNote>{describeQuota(company)}</PanelNote>}
    </Panel>
  )
}

function describeQuota({ own_quota, default_quota }: CompanyDetails): string {
  const trash = t('Includes files in the trash.')
  if (own_quota !== null) return trash
  return default_quota === null
    ? `${t('No limit.')} ${trash}`
    : `${t('Default quota: {size}.', { size: formatSize(default_quota) })} ${trash}`
}

/** Shows the note to those who may read it. If it is empty, only admins see the section, because they can write one. */
function NotePanel({ company, actions }: SectionProps) {
  const { note } = company
  if (note === null || (note === '' && !actions)) return null
  return (
    <Panel title={t('Note')} more={actions && <Button onClick={() => actions.editNote(company)}>{t('Edit note')}</Button>}>
      {note === '' ? <PanelNote>{t('No note yet.')}</PanelNote> : <p className={c('note')}>{note}</p>}
    </Panel>
  )
}

const CompanyNotFound = () => (
  <StaffPage>
    <EmptyState
      icon={<PeopleIcon />}
      title={t('Company not found.')}
      action={<ButtonLink to={paths.companies}>{t('All companies')}</ButtonLink>}
    />
  </StaffPage>
)
