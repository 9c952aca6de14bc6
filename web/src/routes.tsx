import './lib/page/pop-state.ts'
import type { ComponentType, ReactNode } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { useSession } from './api/session.ts'
import { Protected } from './features/identity/protected.tsx'
import { lazyPage, withTranslations } from './lib/page/lazy-page.tsx'
import { useScrollPosition } from './lib/page/scroll-position.ts'
import { paths, type Screen, toRoutePattern } from './paths.ts'
import { CardFailed, CardPending, PageFailed, PagePending, StaffPending } from './screens/shared/page/page-states.tsx'

const LoginPage = lazyEntryCard(() => import('./screens/sign-in/login-page.tsx').then((module) => module.LoginPage))
const AccessPage = lazyEntryCard(() => import('./screens/access/access-page.tsx').then((module) => module.AccessPage))
const ForgotPage = lazyCard(() => import('./screens/sign-in/forgot-page.tsx').then((module) => module.ForgotPage))
const ResetPage = lazyCard(() => import('./screens/sign-in/reset-page.tsx').then((module) => module.ResetPage))
const FactorResetPage = lazyCard(() => import('./screens/sign-in/factor-reset-page.tsx').then((module) => module.FactorResetPage))
const InvitationPage = lazyCard(() => import('./screens/sign-in/invitation-page.tsx').then((module) => module.InvitationPage))
const OperatorLinkPage = lazyCard(() =>
  import('./screens/sign-in/operator-link-page.tsx').then((module) => module.OperatorLinkPage),
)
const EnrolmentPage = lazyCard(() => import('./screens/sign-in/enrolment-page.tsx').then((module) => module.EnrolmentPage))
const ReceiptPage = lazyCard(() => import('./screens/receipts/receipt-page.tsx').then((module) => module.ReceiptPage))
const VerifyPage = lazyCard(() => import('./screens/receipts/verify-page.tsx').then((module) => module.VerifyPage))
const DocsPage = lazyCard(() => import('./screens/docs/docs-page.tsx').then((module) => module.DocsPage))
const NotFoundPage = lazyCard(() => import('./shell/not-found-page.tsx').then((module) => module.NotFoundPage))

const StaffLayout = lazyPage(
  withTranslations(() => import('./shell/staff-layout.tsx').then((module) => module.StaffLayout)),
  {
    Pending: StaffPending,
    Failed: CardFailed,
  },
)
const DashboardPage = lazyStaffPage(() => import('./screens/dashboard/dashboard-page.tsx').then((module) => module.DashboardPage))
const WelcomePage = lazyStaffPage(() => import('./screens/welcome/welcome-page.tsx').then((module) => module.WelcomePage))
const FilesPage = lazyStaffPage(() => import('./screens/files/files-page.tsx').then((module) => module.FilesPage))
const LinksPage = lazyStaffPage(() => import('./screens/links/links-page.tsx').then((module) => module.LinksPage))
const UsersPage = lazyStaffPage(() => import('./screens/people/users-page.tsx').then((module) => module.UsersPage))
const CompaniesPage = lazyStaffPage(() => import('./screens/companies/companies-page.tsx').then((module) => module.CompaniesPage))
const CompanyPage = lazyStaffPage(() => import('./screens/companies/company-page.tsx').then((module) => module.CompanyPage))
const UserPage = lazyStaffPage(() => import('./screens/people/user-page.tsx').then((module) => module.UserPage))
const DirectoriesPage = lazyStaffPage(() =>
  import('./screens/directories/directories-page.tsx').then((module) => module.DirectoriesPage),
)
const AccountPage = lazyStaffPage(() => import('./screens/account/account-page.tsx').then((module) => module.AccountPage))
const ActivityPage = lazyStaffPage(() => import('./screens/activity/activity-page.tsx').then((module) => module.ActivityPage))
const MailPage = lazyStaffPage(() => import('./screens/mail/mail-page.tsx').then((module) => module.MailPage))
const TrashPage = lazyStaffPage(() => import('./screens/trash/trash-page.tsx').then((module) => module.TrashPage))
const SettingsPage = lazyStaffPage(() => import('./screens/settings/settings-page.tsx').then((module) => module.SettingsPage))
const WebhooksPage = lazyStaffPage(() => import('./screens/webhooks/webhooks-page.tsx').then((module) => module.WebhooksPage))
const DirectoryPage = lazyStaffPage(() =>
  import('./screens/directories/directory-page.tsx').then((module) => module.DirectoryPage),
)

/** Screens that need no session. */
const publicScreens = {
  start: <Navigate to={paths.dashboard} replace />,
  login: <LoginPage />,
  access: <AccessPage />,
  forgot: <ForgotPage />,
  reset: <ResetPage />,
  factorReset: <FactorResetPage />,
  invitation: <InvitationPage />,
  enter: <OperatorLinkPage />,
  receipt: <ReceiptPage />,
  verify: <VerifyPage />,
  docs: <DocsPage />,
} satisfies Partial<Record<Screen, ReactNode>>

/** All other screens need a session. The type makes sure that none of the contract's screens is missing. */
const staffScreens: Record<Exclude<Screen, keyof typeof publicScreens>, ReactNode> = {
  dashboard: <DashboardPage />,
  welcome: <WelcomePage />,
  files: <FilesPage />,
  links: <LinksPage />,
  clients: <UsersPage />,
  companies: <CompaniesPage />,
  company: <CompanyPage />,
  user: <UserPage />,
  directories: <DirectoriesPage />,
  directory: <DirectoryPage />,
  trash: <TrashPage />,
  account: <AccountPage />,
  activity: <ActivityPage />,
  mail: <MailPage />,
  webhooks: <WebhooksPage />,
  settings: <SettingsPage />,
  settingsSection: <SettingsPage />,
}

export function AppRoutes() {
  useScrollPosition()
  return (
    <Routes>
      {createRoutes(publicScreens)}
      <Route element={<StaffArea />}>{createRoutes(staffScreens)}</Route>
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  )
}

const createRoutes = (elements: Partial<Record<Screen, ReactNode>>) =>
  Object.entries(elements).map(([screen, element]) => (
    <Route key={screen} path={toRoutePattern(screen as Screen)} element={element} />
  ))

const StaffArea = () => (
  <Protected Pending={StaffPending} Failed={CardFailed}>
    <EnrolledArea />
  </Protected>
)

/** The staff pages or, as long as the server rejects everything else, the page to set up a second factor. The address stays the same. */
function EnrolledArea() {
  const session = useSession()
  return session.kind === 'signed-in' && session.mustEnrol ? <EnrolmentPage /> : <StaffLayout />
}

/** Creates a page without the staff layout. Its content, loading state and error state are a single card. */
function lazyCard(load: () => Promise<ComponentType>) {
  return lazyEntryCard(withTranslations(load))
}

/** Creates a page that people open first. It must load fast, so it does without the full translations. */
function lazyEntryCard(load: () => Promise<ComponentType>) {
  return lazyPage(load, { Pending: CardPending, Failed: CardFailed })
}

function lazyStaffPage(load: () => Promise<ComponentType>) {
  return lazyPage(load, { Pending: PagePending, Failed: PageFailed })
}
