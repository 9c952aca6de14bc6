import type { User } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { Outlet, useMatch } from 'react-router'
import { QueryProvider } from '../api/query-provider.tsx'
import { useSession } from '../api/session.ts'
import { useLive } from '../api/use-live.ts'
import { OfflineBar } from '../components/feedback/offline-bar.tsx'
import { ToastProvider } from '../components/feedback/toast.tsx'
import { Layout } from '../components/layout/layout.tsx'
import { useDirectory } from '../features/directory/directory-queries.ts'
import { useIsSetUpOpen } from '../features/first-run/first-run-steps.ts'
import { openRequestsQuery } from '../features/link/request-queries.ts'
import { mailWayQuery } from '../features/mail/mail-queries.ts'
import { CurrentBrand } from '../features/settings/current-brand.tsx'
import { t } from '../i18n/t.ts'
import { getArchivedReason } from '../lib/archived-company.ts'
import { ErrorBoundary } from '../lib/page/error-boundary.tsx'
import { GuardedNavigation } from '../lib/page/leave-guard.ts'
import { paths, toRoutePattern } from '../paths.ts'
import { ConfirmationHost } from '../screens/shared/dialogs/confirmation-host.tsx'
import { useDialog } from '../screens/shared/dialogs/dialog.ts'
import { focusSearch } from '../screens/shared/list/use-filters.ts'
import { DialogHost } from './dialog-host.tsx'
import { StaffBar } from './staff-bar.tsx'
import { staffPages } from './staff-pages.tsx'

const StaffTray = lazy(() => import('../features/upload/tray/staff-tray.tsx').then((module) => ({ default: module.StaffTray })))
const UploadDrop = lazy(() => import('../screens/uploads/upload-drop.tsx').then((module) => ({ default: module.UploadDrop })))

/** The layout of every page that needs a session. It unmounts when the session ends, which discards all loaded data. */
export function StaffLayout() {
  const session = useSession()
  if (session.kind !== 'signed-in') return null
  return (
    <GuardedNavigation>
      <QueryProvider>
        <ToastProvider>
          <DialogHost>
            <CurrentBrand>
              <Layout
                bar={
                  <>
                    <OfflineBar />
                    <TopBar info={session.info} />
                  </>
                }
              >
                <Outlet context={staffPages} />
                <Optional>
                  <PageDrop />
                </Optional>
              </Layout>
            </CurrentBrand>
          </DialogHost>
          <ConfirmationHost />
          <Optional>
            <StaffTray />
          </Optional>
        </ToastProvider>
      </QueryProvider>
    </GuardedNavigation>
  )
}

/** The top bar. It shows the number of open requests from recipients on every page. */
function TopBar({ info }: { info: User }) {
  useLive(info.id)
  useQuery(mailWayQuery()) // loaded early, so that dialogs don’t change when it becomes known
  const count = useQuery(openRequestsQuery()).data?.length ?? 0
  const requests = count > 0 ? { count, label: t('{n} open requests', { n: count }) } : undefined
  const open = useDialog()
  return (
    <StaffBar
      info={info}
      openItems={{ [paths.links]: requests }}
      isSetUpOpen={useIsSetUpOpen(info.role === 'NEPTUNE_ADMIN')}
      onOpenFinder={(offered) => open({ kind: 'find', ...offered })}
      onFocusSearch={focusSearch}
      onShowShortcuts={() => open({ kind: 'keys' })}
    />
  )
}

/** Renders an optional part of the page. Shows nothing while its script loads or if that fails. */
const Optional = ({ children }: { children: ReactNode }) => (
  <ErrorBoundary fallback={() => null}>
    <Suspense>{children}</Suspense>
  </ErrorBoundary>
)

/** Uploads files dropped on a page. On a directory's page they go to that directory; on other pages the user chooses one. */
function PageDrop() {
  const id = useMatch(toRoutePattern('directory'))?.params['directory']
  const isAppearance = useMatch(paths.settingsSection('appearance')) !== null
  if (isAppearance) return null // images dropped there are logos
  return id === undefined ? <UploadDrop target={undefined} /> : <DirectoryDrop id={id} />
}

function DirectoryDrop({ id }: { id: string }) {
  const { data } = useDirectory(id)
  const target = data && data.deleted_at === null ? { id, name: data.directory } : undefined
  return <UploadDrop target={target} blockedReason={data && getArchivedReason(data)} />
}
