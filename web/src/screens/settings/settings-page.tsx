import type { SectionName } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, useId } from 'react'
import { Navigate, useParams } from 'react-router'
import { ApiError } from '../../api/api-error.ts'
import { useIsAdmin } from '../../api/session.ts'
import { classNames } from '../../components/class-names.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ErrorState } from '../../components/feedback/error-state.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { ButtonLink } from '../../components/form/button.tsx'
import { LockIcon, SettingsIcon } from '../../components/icons.tsx'
import { SectionLinks } from '../../components/menu/section-links.tsx'
import { getStepPath, useIsSetUpOpen } from '../../features/first-run/first-run-steps.ts'
import { settingsQuery } from '../../features/settings/settings-queries.ts'
import { t } from '../../i18n/t.ts'
import { sectionNames, sectionTexts } from '../../lib/settings/setting-texts.ts'
import { paths } from '../../paths.ts'
import { StaffPage } from '../shared/page/staff-page.tsx'
import { AppearanceSection } from './appearance-section.tsx'
import { EmailSection } from './email-section.tsx'
import { LinksSection } from './links-section.tsx'
import { OrganisationSection } from './organisation-section.tsx'
import { ProvidersSection, providersTexts } from './providers/providers-section.tsx'
import type { SectionProps } from './section-props.ts'
import { SecuritySection } from './security-section.tsx'
import css from './settings.module.css'
import { StorageSection } from './storage-section.tsx'

const c = classNames(css)

const sections: Record<SectionName, ComponentType<SectionProps>> = {
  organisation: OrganisationSection,
  appearance: AppearanceSection,
  links: LinksSection,
  email: EmailSection,
  security: SecuritySection,
  storage: StorageSection,
}

/** The pages in the order of their links. Single sign-on is not a section of the settings, because each provider is saved separately. */
type PageName = SectionName | 'single-sign-on'
const pageNames = sectionNames.flatMap((name): PageName[] => (name === 'security' ? [name, 'single-sign-on'] : [name]))
const pageTexts = { ...sectionTexts, 'single-sign-on': providersTexts } satisfies Record<PageName, unknown>

export function SettingsPage() {
  const isAdmin = useIsAdmin()
  const { section } = useParams()
  const name = pageNames.find((name) => name === section)
  if (!isAdmin) {
    return (
      <StaffPage>
        <EmptyState icon={<LockIcon />} title={t('Only administrators can change settings.')}>
          {t('Your role doesn’t allow this. Ask an administrator.')}
        </EmptyState>
      </StaffPage>
    )
  }
  if (section === undefined) return <Navigate to={paths.settingsSection(sectionNames[0])} replace />
  return name ? <SettingsSection name={name} /> : <SectionNotFound />
}

const SectionNotFound = () => (
  <StaffPage>
    <EmptyState
      icon={<SettingsIcon />}
      title={t('There is nothing at this address.')}
      action={<ButtonLink to={paths.settings}>{t('All settings')}</ButtonLink>}
    />
  </StaffPage>
)

function SettingsSection({ name }: { name: PageName }) {
  const id = useId()
  const { label, purpose } = pageTexts[name]
  const links = pageNames.map((section) => ({
    label: t(pageTexts[section].label),
    to: paths.settingsSection(section),
    current: section === name,
  }))
  const isSetUpOpen = useIsSetUpOpen(true)
  // The set-up guide links only to the email section.
  const back = name === 'email' && isSetUpOpen && <ButtonLink to={getStepPath('email')}>{t('Back to the set-up')}</ButtonLink>
  return (
    <StaffPage title={`${t(label)} · ${t('Settings')}`} action={back}>
      <div className={c('layout')}>
        <SectionLinks label={t('Settings')} links={links} />
        <section aria-labelledby={id} className={c('section')}>
          <div>
            <h2 id={id} className={c('heading')}>
              {t(label)}
            </h2>
            <p className={c('purpose')}>{t(purpose)}</p>
          </div>
          {name === 'single-sign-on' ? <ProvidersSection /> : <SectionContent key={name} name={name} />}
        </section>
      </div>
    </StaffPage>
  )
}

function SectionContent({ name }: { name: SectionName }) {
  const { data: settings, error, refetch } = useQuery(settingsQuery())
  const Section = sections[name]
  if (settings) return <Section settings={settings} />
  if (error) {
    return (
      <ErrorState
        title={t('The settings did not load.')}
        detail={error.message}
        requestId={error instanceof ApiError ? error.requestId : undefined}
        onRetry={() => void refetch()}
      />
    )
  }
  return (
    <div aria-busy="true" className={c('form')}>
      <Skeleton width="60%" height={56} label={t('Loading')} />
      <Skeleton width="60%" height={56} />
      <Skeleton width="60%" height={56} />
    </div>
  )
}
