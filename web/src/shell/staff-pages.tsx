import type { ComponentType } from 'react'
import { lazyPage } from '../lib/page/lazy-page.tsx'
import type { StaffScreen } from '../paths.ts'
import { PageFailed, PagePending } from '../screens/shared/page/page-states.tsx'

const SettingsPage = lazyStaffPage(() => import('../screens/settings/settings-page.tsx').then((module) => module.SettingsPage))

/**
 * The pages of the staff area. They belong to the chunk of its layout, so that the sign-in and access pages don’t load the list of their
 * scripts.
 */
export const staffPages: Record<StaffScreen, ComponentType> = {
  dashboard: lazyStaffPage(() => import('../screens/dashboard/dashboard-page.tsx').then((module) => module.DashboardPage)),
  welcome: lazyStaffPage(() => import('../screens/welcome/welcome-page.tsx').then((module) => module.WelcomePage)),
  files: lazyStaffPage(() => import('../screens/files/files-page.tsx').then((module) => module.FilesPage)),
  links: lazyStaffPage(() => import('../screens/links/links-page.tsx').then((module) => module.LinksPage)),
  clients: lazyStaffPage(() => import('../screens/people/users-page.tsx').then((module) => module.UsersPage)),
  companies: lazyStaffPage(() => import('../screens/companies/companies-page.tsx').then((module) => module.CompaniesPage)),
  company: lazyStaffPage(() => import('../screens/companies/company-page.tsx').then((module) => module.CompanyPage)),
  user: lazyStaffPage(() => import('../screens/people/user-page.tsx').then((module) => module.UserPage)),
  directories: lazyStaffPage(() =>
    import('../screens/directories/directories-page.tsx').then((module) => module.DirectoriesPage),
  ),
  directory: lazyStaffPage(() => import('../screens/directories/directory-page.tsx').then((module) => module.DirectoryPage)),
  trash: lazyStaffPage(() => import('../screens/trash/trash-page.tsx').then((module) => module.TrashPage)),
  account: lazyStaffPage(() => import('../screens/account/account-page.tsx').then((module) => module.AccountPage)),
  activity: lazyStaffPage(() => import('../screens/activity/activity-page.tsx').then((module) => module.ActivityPage)),
  mail: lazyStaffPage(() => import('../screens/mail/mail-page.tsx').then((module) => module.MailPage)),
  webhooks: lazyStaffPage(() => import('../screens/webhooks/webhooks-page.tsx').then((module) => module.WebhooksPage)),
  settings: SettingsPage,
  settingsSection: SettingsPage,
}

function lazyStaffPage(load: () => Promise<ComponentType>) {
  return lazyPage(load, { Pending: PagePending, Failed: PageFailed })
}
