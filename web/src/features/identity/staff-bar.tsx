import type { User } from '@neptune/contract'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { signOut } from '../../api/session.ts'
import { useSessionRefresh } from '../../api/use-session-refresh.ts'
import { DialogFrame } from '../../components/dialog-frame.tsx'
import { ClockIcon, MailIcon, PersonIcon, SignOutIcon, TrashIcon } from '../../components/icons.tsx'
import { TopBar } from '../../components/top-bar.tsx'
import { hasUnfinished } from '../../lib/unfinished.ts'
import { paths } from '../../paths.ts'
import { t } from '../../words/t.ts'
import { languageItems } from './language-items.tsx'
import { useNavItems, type WaitingAt } from './nav-items.ts'
import { useThemeItems } from './use-theme-items.tsx'

/** The top bar: where to go, who is signed in, and their menu. */
export function StaffBar({ info: { name, email, role }, waiting }: { info: User; waiting: WaitingAt }) {
  useSessionRefresh()
  const [isAsking, setAsking] = useState(false)
  const themes = useThemeItems()
  const navigate = useNavigate()
  const account = { label: t('Account'), icon: <PersonIcon />, onSelect: () => void navigate(paths.account) }
  const activity = { label: t('Activity'), icon: <ClockIcon />, onSelect: () => void navigate(paths.activity) }
  const mail = {
    label: t('Mail'),
    icon: <MailIcon />,
    disabledReason: role === 'NEPTUNE_ADMIN' ? undefined : t('Only administrators see the mails.'),
    onSelect: () => void navigate(paths.mail),
  }
  const trash = { label: t('Trash'), icon: <TrashIcon />, onSelect: () => void navigate(paths.trash) }
  const leave = {
    label: t('Sign out'),
    icon: <SignOutIcon />,
    onSelect: () => (hasUnfinished() ? setAsking(true) : void signOut()),
  }
  return (
    <>
      <TopBar
        home={paths.start}
        items={useNavItems(waiting)}
        person={{ name, email }}
        menuItems={[account, activity, mail, trash, 'separator', ...themes, 'separator', ...languageItems(), 'separator', leave]}
      />
      {isAsking && (
        <DialogFrame
          title={t('Uploads are not finished')}
          description={t('Signing out stops them, and they cannot go on later.')}
          confirmLabel={t('Sign out')}
          cancelLabel={t('Stay')}
          danger
          onConfirm={() => void signOut()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
