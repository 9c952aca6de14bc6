import type { InvitationLink, TokenRow, UserDetails } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useHasSeveralCompanies } from '../../api/session.ts'
import { Age } from '../../components/age.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ErrorState } from '../../components/feedback/error-state.tsx'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { ClockIcon, LinkIcon } from '../../components/icons.tsx'
import { NameLink } from '../../components/name-link.tsx'
import { newestActivityQuery } from '../../features/activity/activity-queries.ts'
import { ActivityTable } from '../../features/activity/activity-table.tsx'
import { SessionsTable } from '../../features/identity/sessions-table.tsx'
import { ownedLinksQuery } from '../../features/link/link-queries.ts'
import { LinksTable } from '../../features/link/links-table.tsx'
import { TokensTable } from '../../features/token/tokens-table.tsx'
import { describeAccess, describeOtherCompanies } from '../../features/user/access-texts.ts'
import { roleNames } from '../../features/user/roles.ts'
import { firstSelectedCompaniesQuery } from '../../features/user/user-queries.ts'
import { UserStatus } from '../../features/user/user-status.tsx'
import { t } from '../../i18n/t.ts'
import { defaultCompany } from '../../lib/default-company.ts'
import { formatDateTime } from '../../lib/time/dates.ts'
import { paths } from '../../paths.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'
import { FactList, PageSection } from '../shared/page/page-section.tsx'
import { InvitationLinkDialog } from './dialogs/invitation-link-dialog.tsx'
import { InvitationSection } from './invitation-section.tsx'

interface SectionProps {
  user: UserDetails
}

/** Only admins see when the user was created and last signed in. */
export function DetailsSection({ user }: SectionProps) {
  const hasCompanyLink = useHasSeveralCompanies()
  return (
    <PageSection name={t('Details')}>
      <FactList>
        <dt>{t('Name')}</dt>
        <dd>{user.name}</dd>
        <dt>{t('E-mail address')}</dt>
        <dd>{user.email}</dd>
        <dt>{t('Company')}</dt>
        <dd>
          <NameLink
            text={user.company_name || defaultCompany}
            to={hasCompanyLink && user.company ? paths.company(user.company) : undefined}
          />
        </dd>
        <dt>{t('Role')}</dt>
        <dd>{t(roleNames[user.role])}</dd>
        <dt>{t('Status')}</dt>
        <dd>
          <UserStatus {...user} />
        </dd>
        {user.created_at !== undefined && (
          <>
            <dt>{t('Created')}</dt>
            <dd>{formatDateTime(user.created_at)}</dd>
          </>
        )}
        {user.signed_in_at !== undefined && (
          <>
            <dt>{t('Last sign-in')}</dt>
            <dd>{user.signed_in_at === null ? t('Never') : <Age instant={user.signed_in_at} />}</dd>
          </>
        )}
      </FactList>
    </PageSection>
  )
}

/** For admins, about a user who hasn’t accepted their invitation. */
export function InvitedSection({ user }: SectionProps) {
  const [link, setLink] = useState<InvitationLink>()
  return (
    <PageSection name={t('Invitation')}>
      <InvitationSection user={user} disabledReason={undefined} onSent={setLink} />
      {link && <InvitationLinkDialog name={user.name} link={link} onClose={() => setLink(undefined)} />}
    </PageSection>
  )
}

export function AccessSection({ user, canChange }: SectionProps & { canChange: boolean }) {
  const open = useDialog()
  return (
    <PageSection
      name={t('Access')}
      note={describeUserAccess(user)}
      action={
        canChange &&
        user.role !== 'NEPTUNE_ADMIN' && (
          <Button onClick={() => open({ kind: 'change-access', user })}>{t('Change access')}</Button>
        )
      }
    >
      {canChange && user.role !== 'NEPTUNE_ADMIN' && user.access === 'selected' && <SelectedCompanies user={user} />}
    </PageSection>
  )
}

/** The server leaves out the number of selected companies for callers who may not see all companies. */
function describeUserAccess(user: UserDetails): string {
  const company = user.company_name || defaultCompany
  if (user.role === 'NEPTUNE_ADMIN') return t('Admins have access to everything in every company.')
  if (user.access !== 'selected' || user.other_companies !== undefined)
    return describeAccess(user.access, company, user.other_companies ?? 0)
  return `${company} ${describeOtherCompanies(user) ?? ''}`
}

const maxCompanies = 10

function SelectedCompanies({ user }: SectionProps) {
  const { data: companies = [] } = useQuery(firstSelectedCompaniesQuery(user, maxCompanies))
  const more = (user.other_companies ?? 0) - companies.length
  if (companies.length === 0) return null
  return (
    <ul aria-label={t('Selected companies')}>
      {companies.map(({ id, name }) => (
        <li key={id}>
          <NameLink text={name} to={paths.company(id)} />
        </li>
      ))}
      {more > 0 && <li>{t('and {n} other companies', { n: more })}</li>}
    </ul>
  )
}

export function SessionsSection({ user }: SectionProps) {
  const open = useDialog()
  return (
    <PageSection
      name={t('Sessions')}
      note={t('Where they are signed in.')}
      action={<Button onClick={() => open({ kind: 'end-sessions', user })}>{t('Sign out everywhere')}</Button>}
    >
      <SessionsTable owner={user.id} />
    </PageSection>
  )
}

export function TokensSection({ user }: SectionProps) {
  const open = useDialog()
  const revoke = useCallback((token: TokenRow) => open({ kind: 'revoke-token', token, owner: user }), [open, user])
  return (
    <PageSection name={t('API tokens')} note={t('Scripts use these tokens to act as {name}.', { name: user.name })}>
      <TokensTable owner={user} onRevoke={revoke} />
    </PageSection>
  )
}

/** How many links and audit entries are shown. The Links and Activity pages show the rest. */
const maxShown = 5

export function UserLinksSection({ user: { id, name } }: SectionProps) {
  const links = useQuery(ownedLinksQuery(id, maxShown))
  const open = useDialog()
  return (
    <PageSection
      name={t('Links')}
      note={t('The newest links they own.')}
      action={<ButtonLink to={`${paths.links}?${new URLSearchParams({ owner: id })}`}>{t('Show all links')}</ButtonLink>}
    >
      {links.isError ? (
        <ErrorState title={t('The links did not load.')} detail={links.error.message} onRetry={() => void links.refetch()} />
      ) : (
        <LinksTable
          links={links.data ?? []}
          loading={links.isPending}
          empty={<EmptyState icon={<LinkIcon />} title={t('{name} owns no links.', { name })} />}
          onOpen={(link) => open({ kind: 'link-details', link })}
        />
      )}
    </PageSection>
  )
}

export function UserActivitySection({ user: { id } }: SectionProps) {
  const activity = useQuery(newestActivityQuery({ person: id }, maxShown))
  return (
    <PageSection
      name={t('Activity')}
      note={t('Their latest activity.')}
      action={<ButtonLink to={`${paths.activity}?${new URLSearchParams({ person: id })}`}>{t('Show all activity')}</ButtonLink>}
    >
      {activity.isError ? (
        <ErrorState
          title={t('The activity did not load.')}
          detail={activity.error.message}
          onRetry={() => void activity.refetch()}
        />
      ) : (
        <ActivityTable
          rows={activity.data ?? []}
          loading={activity.isPending}
          empty={<EmptyState icon={<ClockIcon />} title={t('No activity yet.')} />}
          withCompany
        />
      )}
    </PageSection>
  )
}
