import { useLocation } from 'react-router'
import { t } from '../../../i18n/t.ts'
import { paths } from '../../../paths.ts'

/** The pages of the top navigation. As specified, Dashboard links to `/`, which redirects to `/dashboard`. */
const topPages = [
  { label: 'Dashboard', to: paths.start, root: paths.dashboard, purpose: 'Totals and files at a glance.' },
  {
    label: 'Directories',
    to: paths.directories,
    root: paths.directories,
    purpose: 'Your files and folders. Each directory belongs to a company.',
  },
  { label: 'Links', to: paths.links, root: paths.links, purpose: 'What’s shared, and until when.' },
  { label: 'Users', to: paths.clients, root: paths.clients, purpose: 'The people who can sign in.' },
] as const

/** The second tab of the Users page. */
const companiesTab = {
  label: 'Users',
  root: paths.companies,
  purpose: 'The companies that own the files, and how much storage they use.',
} as const
/** The pages at `/users/{id}`, each about one user. */
const userPages = { label: 'Users', root: '/users', purpose: 'The people who can sign in.' } as const
const relatedRoots = [companiesTab.root, userPages.root]

/** The pages of the navigation's menu “More”. */
const morePages = [
  { label: 'Files', to: paths.files, root: paths.files, purpose: 'All files you can access, across all directories.' },
  { label: 'Activity', to: paths.activity, root: paths.activity, purpose: 'Who did what, when and from where.' },
  {
    label: 'Trash',
    to: paths.trash,
    root: paths.trash,
    purpose: 'Deleted files and directories. You can restore them until they’re permanently deleted.',
  },
] as const

/** The pages of the user menu. */
const menuPages = [
  {
    label: 'Set up your portal',
    root: paths.welcome,
    purpose: 'Five short steps. You can skip any of them and come back later.',
  },
  { label: 'Account', root: paths.account, purpose: 'Your details, how and where you sign in, and your API tokens.' },
  { label: 'Email', root: paths.mail, purpose: 'Emails that Neptune sends, and whether they were delivered.' },
  { label: 'Settings', root: paths.settings, purpose: 'How this portal looks and works, for everyone.' },
  { label: 'Webhooks', root: paths.webhooks, purpose: 'Programs that are notified when something happens.' },
] as const

/** The number of items that need an answer, by the path of their page. */
export type OpenItemsByPage = Record<string, { count: number; label: string } | undefined>

/** Returns the navigation items and those of its menu “More”. An item is current on its page and on every page below it. */
export function useNavItems(openItems: OpenItemsByPage) {
  const { pathname } = useLocation()
  const toItem = ({ root, label, to }: (typeof topPages | typeof morePages)[number]) => ({
    label: t(label),
    to,
    current:
      isAtOrBelow(root, pathname) || (root === paths.clients && relatedRoots.some((related) => isAtOrBelow(related, pathname))),
    openItems: openItems[root],
  })
  return { items: topPages.map(toItem), more: morePages.map(toItem) }
}

/** Returns the title and purpose of the current page. */
export function useCurrentPage() {
  const { pathname } = useLocation()
  const page = [...topPages, companiesTab, userPages, ...morePages, ...menuPages].find(({ root }) => isAtOrBelow(root, pathname))
  return page && { label: t(page.label), purpose: t(page.purpose) }
}

const isAtOrBelow = (root: string, pathname: string) => pathname === root || pathname.startsWith(`${root}/`)
