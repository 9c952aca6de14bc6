import type { User } from '@neptune/contract'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { signOut } from '../api/session.ts'
import { useSessionRefresh } from '../api/use-session-refresh.ts'
import { useAction } from '../components/form/use-action.ts'
import { CheckIcon, KeyboardIcon, MailIcon, PersonIcon, SettingsIcon, SignOutIcon, WebhookIcon } from '../components/icons.tsx'
import { DialogFrame } from '../components/layout/dialog-frame.tsx'
import { TopBar } from '../components/layout/top-bar.tsx'
import type { MenuItem } from '../components/menu/menu-panel.tsx'
import { t } from '../i18n/t.ts'
import { useShortcuts } from '../lib/keyboard/use-shortcuts.ts'
import { askBeforeLeaving } from '../lib/page/leave-guard.ts'
import { hasUnfinishedWork } from '../lib/page/unfinished-work.ts'
import { paths } from '../paths.ts'
import { type OpenItemsByPage, useNavItems } from '../screens/shared/page/nav-items.ts'
import { useLanguageItems } from './use-language-items.tsx'
import { useThemeItems } from './use-theme-items.tsx'

interface StaffBarProps {
  info: User
  openItems: OpenItemsByPage
  /** Whether the set-up of a new installation has steps to do. */
  isSetUpOpen: boolean
  /** Opens the search, which also offers the pages and menu items of the bar. */
  onOpenFinder: (offered: { pages: readonly { label: string; to: string }[]; menu: readonly MenuItem[] }) => void
  /** Focuses the search field of the page. Returns false if there is none. */
  onFocusSearch: () => boolean
  /** Shows the keyboard shortcuts. */
  onShowShortcuts: () => void
}

/** The top bar: navigation, search and user menu. */
export function StaffBar({
  info: { name, email, role },
  openItems,
  isSetUpOpen,
  onOpenFinder,
  onFocusSearch,
  onShowShortcuts,
}: StaffBarProps) {
  useSessionRefresh()
  const [isConfirming, setConfirming] = useState(false)
  const signingOut = useAction(signOut)
  const themes = useThemeItems()
  const navigate = useNavigate()
  const account = { label: t('Account'), icon: <PersonIcon />, onSelect: () => void navigate(paths.account) }
  const mail = { label: t('Email'), icon: <MailIcon />, onSelect: () => void navigate(paths.mail) }
  const settings = { label: t('Settings'), icon: <SettingsIcon />, onSelect: () => void navigate(paths.settings) }
  const adminItems = role === 'NEPTUNE_ADMIN' ? [settings, mail] : []
  const setUp = { label: t('Set up your portal'), icon: <CheckIcon />, onSelect: () => void navigate(paths.welcome) }
  const setUpItems = isSetUpOpen ? [setUp] : []
  const webhooks = { label: t('Webhooks'), icon: <WebhookIcon />, onSelect: () => void navigate(paths.webhooks) }
  const signOutItem = {
    label: t('Sign out'),
    icon: <SignOutIcon />,
    onSelect: () => askBeforeLeaving(() => (hasUnfinishedWork() ? setConfirming(true) : signingOut.run())),
  }
  const shortcuts = { label: t('Keyboard shortcuts'), icon: <KeyboardIcon />, onSelect: onShowShortcuts }
  const languages = useLanguageItems()
  const { items, more } = useNavItems(openItems)
  const openFinder = () =>
    onOpenFinder({
      pages: [...items, ...more],
      menu: [...setUpItems, account, ...adminItems, webhooks, ...themes, ...languages, shortcuts, signOutItem],
    })
  useShortcuts({ find: toKeyHandler(openFinder), search: onFocusSearch, keys: toKeyHandler(onShowShortcuts) })
  return (
    <>
      <TopBar
        home={paths.start}
        items={items}
        more={more}
        person={{ name, email }}
        onFind={openFinder}
        menuItems={[
          ...[...setUpItems, account, ...adminItems, webhooks, 'separator' as const],
          ...[...themes, 'separator' as const, ...languages, 'separator' as const],
          ...[shortcuts, signOutItem],
        ]}
      />
      {isConfirming && (
        <DialogFrame
          title={t('Uploads in progress')}
          description={t('If you sign out, they stop and can’t be resumed.')}
          confirmLabel={t('Sign out')}
          cancelLabel={t('Stay')}
          danger
          action={signingOut}
          onConfirm={() => signingOut.run()}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  )
}

/** Wraps an action in a key handler. The handler returns true, because it handles the key in any case. */
const toKeyHandler = (act: () => void) => () => {
  act()
  return true
}
