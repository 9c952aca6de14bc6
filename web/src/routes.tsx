import type { ComponentType } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { Protected } from './features/session/protected.tsx'
import { lazyPage } from './lib/lazy-page.tsx'
import { CardFailed, CardPending, PageFailed, PagePending, StaffPending } from './pages/page-states.tsx'
import { paths } from './paths.ts'

/** Every screen of the product and who may see it. */
export function AppRoutes() {
  return (
    <Routes>
      <Route path={paths.start} element={<Navigate to={paths.dashboard} replace />} />
      <Route path={paths.login} element={<LoginPage />} />
      <Route path={paths.access(':accessKey')} element={<AccessPage />} />
      <Route element={<StaffArea />}>
        <Route path={paths.dashboard} element={<DashboardPage />} />
        <Route path={paths.files} element={<FilesPage />} />
        <Route path={paths.links} element={<LinksPage />} />
        <Route path={paths.clients} element={<ClientsPage />} />
        <Route path={paths.directories} element={<DirectoriesPage />} />
        <Route path={paths.directory(':directory')} element={<DirectoryPage />} />
      </Route>
      <Route path={paths.forgot} element={<ForgotPage />} />
      <Route path={paths.docs} element={<DocsPage />} />
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  )
}

const LoginPage = card(() => import('./pages/login-page.tsx').then((module) => module.LoginPage))
const AccessPage = card(() => import('./pages/access-page.tsx').then((module) => module.AccessPage))
const ForgotPage = card(() => import('./pages/forgot-page.tsx').then((module) => module.ForgotPage))
const DocsPage = card(() => import('./pages/docs-page.tsx').then((module) => module.DocsPage))
const NotFoundPage = card(() => import('./pages/not-found-page.tsx').then((module) => module.NotFoundPage))

const StaffLayout = lazyPage(() => import('./pages/staff-layout.tsx').then((module) => module.StaffLayout), {
  Pending: StaffPending,
  Failed: CardFailed,
})
const DashboardPage = page(() => import('./pages/dashboard-page.tsx').then((module) => module.DashboardPage))
const FilesPage = page(() => import('./pages/files-page.tsx').then((module) => module.FilesPage))
const LinksPage = page(() => import('./pages/links-page.tsx').then((module) => module.LinksPage))
const ClientsPage = page(() => import('./pages/clients-page.tsx').then((module) => module.ClientsPage))
const DirectoriesPage = page(() => import('./pages/directories-page.tsx').then((module) => module.DirectoriesPage))
const DirectoryPage = page(() => import('./pages/directory-page.tsx').then((module) => module.DirectoryPage))

const StaffArea = () => (
  <Protected Pending={StaffPending} Failed={CardFailed}>
    <StaffLayout />
  </Protected>
)

/** A screen of its own, or a page inside the layout: they differ in what stands there while they load or fail. */
function card(load: () => Promise<ComponentType>) {
  return lazyPage(load, { Pending: CardPending, Failed: CardFailed })
}

function page(load: () => Promise<ComponentType>) {
  return lazyPage(load, { Pending: PagePending, Failed: PageFailed })
}
