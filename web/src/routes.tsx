import './lib/page/pop-state.ts'
import { screens } from '@neptune/contract'
import type { ComponentType, ReactNode } from 'react'
import { Navigate, Route, Routes, useOutletContext } from 'react-router'
import { useSession } from './api/session.ts'
import { Protected } from './features/identity/protected.tsx'
import { lazyPage, withTranslations } from './lib/page/lazy-page.tsx'
import { useScrollPosition } from './lib/page/scroll-position.ts'
import { type PublicScreen, paths, type Screen, type StaffScreen, toRoutePattern } from './paths.ts'
import { CardFailed, CardPending, StaffPending } from './screens/shared/page/page-states.tsx'

const LoginPage = lazyEntryCard(() => import('./screens/sign-in/login-page.tsx').then((module) => module.LoginPage))
const AccessPage = lazyEntryCard(() => import('./screens/access/access-page.tsx').then((module) => module.AccessPage))
const ForgotPage = lazyCard(() => import('./screens/sign-in/forgot-page.tsx').then((module) => module.ForgotPage))
const ResetPage = lazyCard(() => import('./screens/sign-in/reset-page.tsx').then((module) => module.ResetPage))
const FactorResetPage = lazyCard(() => import('./screens/sign-in/factor-reset-page.tsx').then((module) => module.FactorResetPage))
const InvitationPage = lazyCard(() => import('./screens/sign-in/invitation-page.tsx').then((module) => module.InvitationPage))
const OperatorLinkPage = lazyCard(() =>
  import('./screens/sign-in/operator-link-page.tsx').then((module) => module.OperatorLinkPage),
)
const EnrollmentPage = lazyCard(() => import('./screens/sign-in/enrollment-page.tsx').then((module) => module.EnrollmentPage))
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
} satisfies Record<PublicScreen, ReactNode>

export function AppRoutes() {
  useScrollPosition()
  return (
    <Routes>
      {Object.entries(publicScreens).map(([screen, element]) => (
        <Route key={screen} path={toRoutePattern(screen as Screen)} element={element} />
      ))}
      <Route element={<StaffArea />}>
        {staffScreens.map((screen) => (
          <Route key={screen} path={toRoutePattern(screen)} element={<StaffPage screen={screen} />} />
        ))}
      </Route>
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  )
}

/** All other screens need a session. */
const staffScreens = (Object.keys(screens) as Screen[]).filter((screen) => !(screen in publicScreens)) as StaffScreen[]

/** A page of the staff area. The layout provides the pages, so that public pages don’t load the list of them. */
function StaffPage({ screen }: { screen: StaffScreen }) {
  const Page = useOutletContext<Record<StaffScreen, ComponentType>>()[screen]
  return <Page />
}

const StaffArea = () => (
  <Protected Pending={StaffPending} Failed={CardFailed}>
    <EnrolledArea />
  </Protected>
)

/** The staff pages or, as long as the server rejects everything else, the page to set up a second factor. The URL stays the same. */
function EnrolledArea() {
  const session = useSession()
  return session.kind === 'signed-in' && session.mustEnroll ? <EnrollmentPage /> : <StaffLayout />
}

/** Creates a page without the staff layout. Its content, loading state and error state are a single card. */
function lazyCard(load: () => Promise<ComponentType>) {
  return lazyEntryCard(withTranslations(load))
}

/** Creates a page that people open first. It must load fast, so it does without the full translations. */
function lazyEntryCard(load: () => Promise<ComponentType>) {
  return lazyPage(load, { Pending: CardPending, Failed: CardFailed })
}
