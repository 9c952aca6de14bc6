import type { ComponentType, ReactNode } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { Protected } from './features/identity/protected.tsx'
import { lazyPage, withWords } from './lib/lazy-page.tsx'
import { useScrollPosition } from './lib/scroll-position.ts'
import { CardFailed, CardPending, PageFailed, PagePending, StaffPending } from './pages/page-states.tsx'
import { paths, routePattern, type Screen } from './paths.ts'

const LoginPage = firstCard(() => import('./pages/login-page.tsx').then((module) => module.LoginPage))
const AccessPage = firstCard(() => import('./pages/access-page.tsx').then((module) => module.AccessPage))
const ForgotPage = card(() => import('./pages/forgot-page.tsx').then((module) => module.ForgotPage))
const ResetPage = card(() => import('./pages/reset-page.tsx').then((module) => module.ResetPage))
const ReceiptPage = card(() => import('./pages/receipt-page.tsx').then((module) => module.ReceiptPage))
const VerifyPage = card(() => import('./pages/verify-page.tsx').then((module) => module.VerifyPage))
const DocsPage = card(() => import('./pages/docs-page.tsx').then((module) => module.DocsPage))
const NotFoundPage = card(() => import('./pages/not-found-page.tsx').then((module) => module.NotFoundPage))

const StaffLayout = lazyPage(
  withWords(() => import('./pages/staff-layout.tsx').then((module) => module.StaffLayout)),
  {
    Pending: StaffPending,
    Failed: CardFailed,
  },
)
const DashboardPage = page(() => import('./pages/dashboard-page.tsx').then((module) => module.DashboardPage))
const FilesPage = page(() => import('./pages/files-page.tsx').then((module) => module.FilesPage))
const LinksPage = page(() => import('./pages/links-page.tsx').then((module) => module.LinksPage))
const ClientsPage = page(() => import('./pages/clients-page.tsx').then((module) => module.ClientsPage))
const DirectoriesPage = page(() => import('./pages/directories-page.tsx').then((module) => module.DirectoriesPage))
const AccountPage = page(() => import('./pages/account-page.tsx').then((module) => module.AccountPage))
const ActivityPage = page(() => import('./pages/activity-page.tsx').then((module) => module.ActivityPage))
const MailPage = page(() => import('./pages/mail-page.tsx').then((module) => module.MailPage))
const TrashPage = page(() => import('./pages/trash-page.tsx').then((module) => module.TrashPage))
const WebhooksPage = page(() => import('./pages/webhooks-page.tsx').then((module) => module.WebhooksPage))
const DirectoryPage = page(() => import('./pages/directory-page.tsx').then((module) => module.DirectoryPage))

/** The public screens. */
const openScreens = {
  start: <Navigate to={paths.dashboard} replace />,
  login: <LoginPage />,
  access: <AccessPage />,
  forgot: <ForgotPage />,
  reset: <ResetPage />,
  receipt: <ReceiptPage />,
  verify: <VerifyPage />,
  docs: <DocsPage />,
} satisfies Partial<Record<Screen, ReactNode>>

/** All other screens need a session. The type makes sure that none of the contract's screens is missing. */
const staffScreens: Record<Exclude<Screen, keyof typeof openScreens>, ReactNode> = {
  dashboard: <DashboardPage />,
  files: <FilesPage />,
  links: <LinksPage />,
  clients: <ClientsPage />,
  directories: <DirectoriesPage />,
  directory: <DirectoryPage />,
  trash: <TrashPage />,
  account: <AccountPage />,
  activity: <ActivityPage />,
  mail: <MailPage />,
  webhooks: <WebhooksPage />,
}

export function AppRoutes() {
  useScrollPosition()
  return (
    <Routes>
      {routesOf(openScreens)}
      <Route element={<StaffArea />}>{routesOf(staffScreens)}</Route>
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  )
}

const routesOf = (elements: Partial<Record<Screen, ReactNode>>) =>
  Object.entries(elements).map(([screen, element]) => (
    <Route key={screen} path={routePattern(screen as Screen)} element={element} />
  ))

const StaffArea = () => (
  <Protected Pending={StaffPending} Failed={CardFailed}>
    <StaffLayout />
  </Protected>
)

/** Creates a page without the staff layout. Its loading and error states differ from those of staff pages. */
function card(load: () => Promise<ComponentType>) {
  return firstCard(withWords(load))
}

/** Creates an entry page, which must load fast and does without the full translations. */
function firstCard(load: () => Promise<ComponentType>) {
  return lazyPage(load, { Pending: CardPending, Failed: CardFailed })
}

function page(load: () => Promise<ComponentType>) {
  return lazyPage(load, { Pending: PagePending, Failed: PageFailed })
}
