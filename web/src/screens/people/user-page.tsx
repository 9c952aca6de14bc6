import type { UserDetails } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useParams } from 'react-router'
import { ApiError } from '../../api/api-error.ts'
import { useIsAdmin, useSession } from '../../api/session.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ErrorState } from '../../components/feedback/error-state.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { useToast } from '../../components/feedback/toast.tsx'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { KeyIcon, MoreIcon, PauseIcon, PeopleIcon, TrashIcon, UndoIcon } from '../../components/icons.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { PanelLines } from '../../components/layout/panel.tsx'
import { Menu } from '../../components/menu/menu.tsx'
import type { MenuItem } from '../../components/menu/menu-panel.tsx'
import { rememberHit } from '../../features/finder/recent-hits.ts'
import { toUserHit } from '../../features/finder/search-queries.ts'
import { useHasPasswords } from '../../features/provider/provider-queries.ts'
import { useChangeRights, userQuery } from '../../features/user/user-queries.ts'
import { t } from '../../i18n/t.ts'
import { useFocusOnNavigation, usePageTitle } from '../../lib/page/page-title.ts'
import { paths } from '../../paths.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'
import { PageSections } from '../shared/page/page-section.tsx'
import { StaffPage } from '../shared/page/staff-page.tsx'
import { FactorSection } from './factor-section.tsx'
import {
  AccessSection,
  DetailsSection,
  InvitedSection,
  SessionsSection,
  TokensSection,
  UserActivitySection,
  UserLinksSection,
} from './user-sections.tsx'

/** Shows one user. Admins see everything about them; others see what the list of users shows. */
export function UserPage() {
  const { id = '' } = useParams()
  const { data: user, error, refetch } = useQuery(userQuery(id))
  if (error instanceof ApiError && error.status === 404) return <UserNotFound />
  if (error && !user) {
    return (
      <StaffPage>
        <ErrorState
          title={t('The user did not load.')}
          detail={error.message}
          requestId={error instanceof ApiError ? error.requestId : undefined}
          onRetry={() => void refetch()}
        />
      </StaffPage>
    )
  }
  if (!user) return <PendingUser />
  return (
    <>
      <Header user={user} />
      <Sections key={id} user={user} />
    </>
  )
}

function Sections({ user }: { user: UserDetails }) {
  const isAdmin = useIsAdmin()
  const isOwn = useIsOwn(user.id)
  const isInvited = user.invitation_ends_at !== null
  return (
    <PageSections>
      <DetailsSection user={user} />
      {isAdmin && isInvited && <InvitedSection user={user} />}
      <AccessSection user={user} canChange={isAdmin} />
      {/* An invited user has never signed in. */}
      {isAdmin && !isInvited && (
        <>
          {/* One’s own sessions and tokens are under Account. */}
          {!isOwn && <FactorSection user={user} />}
          {!isOwn && <SessionsSection user={user} />}
          {!isOwn && <TokensSection user={user} />}
          <UserLinksSection user={user} />
          <UserActivitySection user={user} />
        </>
      )}
    </PageSections>
  )
}

function Header({ user }: { user: UserDetails }) {
  const { id, name, email, company_name } = user
  usePageTitle(name)
  useEffect(() => rememberHit(toUserHit({ id, name, email, company_name })), [id, name, email, company_name])
  return <PageHeader breadcrumbs={getBreadcrumbs()} name={name} purpose={email} action={useHeaderButtons(user)} />
}

function useHeaderButtons(user: UserDetails): ReactNode {
  const open = useDialog()
  const isAdmin = useIsAdmin()
  if (useIsOwn(user.id)) return <ButtonLink to={paths.account}>{t('Account')}</ButtonLink>
  if (!isAdmin) return undefined
  return (
    <>
      <Button onClick={() => open({ kind: 'edit-details', user })}>{t('Edit details')}</Button>
      <Button onClick={() => open({ kind: 'update-user', user })}>{t('Update User')}</Button>
      <UserMenu user={user} />
    </>
  )
}

/** The menu of a user. Invited users can’t be removed here, because revoking their invitation does the same. */
function UserMenu({ user }: { user: UserDetails }) {
  const { id, name } = user
  const open = useDialog()
  const toast = useToast()
  const hasPasswords = useHasPasswords()
  const change = useChangeRights({ isRepeatable: true })
  const restore = () =>
    change.run(
      { kind: 'restore', id },
      {
        onSuccess: () => toast({ message: t('Restored {name}.', { name }) }),
        onError: ({ message }) => toast({ message }),
      },
    )
  const items: MenuItem[] = [
    ...(user.invitation_ends_at === null
      ? [createResetItem(user, hasPasswords, () => open({ kind: 'reset-password', user }))]
      : []),
    user.suspended_at === null
      ? { label: t('Suspend'), icon: <PauseIcon />, onSelect: () => open({ kind: 'suspend-user', user }) }
      : { label: t('Restore (a user)'), icon: <UndoIcon />, onSelect: restore },
    ...(user.invitation_ends_at === null
      ? [{ label: t('Remove user'), icon: <TrashIcon />, danger: true, onSelect: () => open({ kind: 'remove-user', user }) }]
      : []),
  ]
  return <Menu label={t('Actions for {name}', { name })} items={items} align="end" trigger={<MoreIcon />} />
}

const createResetItem = (
  { suspended_at, company_archived }: UserDetails,
  hasPasswords: boolean,
  onSelect: () => void,
): MenuItem => ({
  label: t('Reset password'),
  icon: <KeyIcon />,
  onSelect,
  disabledReason: !hasPasswords
    ? t('Your organisation has turned off passwords.')
    : suspended_at !== null
      ? t('Restore them first.')
      : company_archived
        ? t('Their company is archived, so they can’t sign in.')
        : undefined,
})

function useIsOwn(id: string): boolean {
  const session = useSession()
  return session.kind === 'signed-in' && session.info.id === id
}

const getBreadcrumbs = () => [{ label: t('Users'), to: paths.clients }]

/** A placeholder. The name is not known yet, so nothing is announced. */
function PendingUser() {
  useFocusOnNavigation()
  return (
    <>
      <PageHeader
        breadcrumbs={getBreadcrumbs()}
        name={
          <>
            <span className="sr-only">{t('Loading')}</span>
            <Skeleton width={240} height="1.2em" />
          </>
        }
        purpose={<Skeleton width={160} height="1.5em" />}
      />
      <PanelLines lines={6} />
    </>
  )
}

const UserNotFound = () => (
  <StaffPage>
    <EmptyState
      icon={<PeopleIcon />}
      title={t('User not found.')}
      action={<ButtonLink to={paths.clients}>{t('All users')}</ButtonLink>}
    />
  </StaffPage>
)
