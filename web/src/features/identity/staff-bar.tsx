import type { User } from '@neptune/contract'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { signOut } from '../../api/session.ts'
import { useSessionRefresh } from '../../api/use-session-refresh.ts'
import { DialogFrame } from '../../components/dialog-frame.tsx'
import { ClockIcon, KeyboardIcon, MailIcon, PersonIcon, SignOutIcon, TrashIcon, WebhookIcon } from '../../components/icons.tsx'
import type { MenuItem } from '../../components/menu-panel.tsx'
import { TopBar } from '../../components/top-bar.tsx'
import { useAction } from '../../components/use-action.ts'
import { hasUnfinished } from '../../lib/unfinished.ts'
import { useKeys } from '../../lib/use-keys.ts'
import { paths } from '../../paths.ts'
import { t } from '../../words/t.ts'
import { languageItems } from './language-items.tsx'
import { useNavItems, type WaitingAt } from './nav-items.ts'
import { useThemeItems } from './use-theme-items.tsx'

interface StaffBarProps {
  info: User
  waiting: WaitingAt
  /** Finds anything, and what the bar offers as well. */
  onFind: (offered: { pages: readonly { label: string; to: string }[]; menu: readonly MenuItem[] }) => void
  /** Leads to the search of the page, if it has one. */
  onSearch: () => boolean
  /** Shows what keys there are. */
  onKeys: () => void
}

/** The top bar: where to go, what there is, who is signed in, and their menu. */
export function StaffBar({ info: { name, email, role }, waiting, onFind, onSearch, onKeys }: StaffBarProps) {
  useSessionRefresh()
  const [isAsking, setAsking] = useState(false)
  const signingOut = useAction(signOut)
  const themes = useThemeItems()
  const navigate = useNavigate()
  const account = { label: t('Account'), icon: <PersonIcon />, onSelect: () => void navigate(paths.account) }
  const activity = { label: t('Activity'), icon: <ClockIcon />, onSelect: () => void navigate(paths.activity) }
  const mail = {
    label: t('Mail'),
    icon: <MailIcon />,
    disabledReason: role === 'NEPTUNE_ADMIN' ? undefined : t('Only administrators can see emails.'),
    onSelect: () => void navigate(paths.mail),
  }
  const webhooks = { label: t('Webhooks'), icon: <WebhookIcon />, onSelect: () => void navigate(paths.webhooks) }
  const trash = { label: t('Trash'), icon: <TrashIcon />, onSelect: () => void navigate(paths.trash) }
  const leave = {
    label: t('Sign out'),
    icon: <SignOutIcon />,
    onSelect: () => (hasUnfinished() ? setAsking(true) : signingOut.run()),
  }
  const keys = { label: t('Keyboard shortcuts'), icon: <KeyboardIcon />, onSelect: onKeys }
  const languages = languageItems()
  const pages = useNavItems(waiting)
  const find = () => onFind({ pages, menu: [account, activity, mail, webhooks, trash, ...themes, ...languages, keys, leave] })
  useKeys({ find: done(find), search: onSearch, keys: done(onKeys) })
  return (
    <>
      <TopBar
        home={paths.start}
        items={pages}
        person={{ name, email }}
        onFind={find}
        menuItems={[
          ...[account, activity, mail, webhooks, trash, 'separator' as const],
          ...[...themes, 'separator' as const, ...languages, 'separator' as const],
          ...[keys, leave],
        ]}
      />
      {isAsking && (
        <DialogFrame
          title={t('Uploads are not finished')}
          description={t('If you sign out, they stop and can’t be resumed.')}
          confirmLabel={t('Sign out')}
          cancelLabel={t('Stay')}
          danger
          action={signingOut}
          onConfirm={() => signingOut.run()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

/** There is always something to do. */
const done = (act: () => void) => () => {
  act()
  return true
}
