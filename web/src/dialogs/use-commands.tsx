import { useNavigate } from 'react-router'
import { useIsAdmin } from '../api/session.ts'
import {
  ArrowIcon,
  FolderIcon,
  KeyIcon,
  LinkIcon,
  PeopleIcon,
  PersonIcon,
  UploadIcon,
  WebhookIcon,
} from '../components/icons.tsx'
import type { PaletteGroup, PaletteOption } from '../components/palette-list.tsx'
import { paths } from '../paths.ts'
import { t } from '../words/t.ts'
import { type Commands, type Dialog, useDialog } from './dialog.ts'

type Command = Omit<PaletteOption, 'id'>

/** All that can be done from anywhere. */
export function useCommands({ pages, menu }: Commands): PaletteGroup[] {
  const navigate = useNavigate()
  const more = [
    { label: t('Files'), to: paths.files },
    { label: t('API documentation'), to: paths.docs },
  ]
  const go = ({ label, to }: Commands['pages'][number]) => ({ label, icon: <ArrowIcon />, onSelect: () => void navigate(to) })
  return [
    group('do', t('Actions'), useActions()),
    group('go', t('Pages'), [...pages, ...more].map(go)),
    group('menu', t('Your account and this browser'), menu),
  ]
}

function useActions(): Command[] {
  const open = useDialog()
  const isAdmin = useIsAdmin()
  const opening = (dialog: Dialog) => ({ onSelect: () => open(dialog) })
  return [
    { label: t('Create link'), icon: <LinkIcon />, ...opening({ kind: 'create-link' }) },
    { label: t('Upload file'), icon: <UploadIcon />, ...opening({ kind: 'upload-file' }) },
    { label: t('Create Directory'), icon: <FolderIcon />, ...opening({ kind: 'create-directory' }) },
    {
      label: t('Add user'),
      icon: <PersonIcon />,
      disabledReason: isAdmin ? undefined : t('Only administrators can add users.'),
      ...opening({ kind: 'create-user' }),
    },
    {
      label: t('Add company'),
      icon: <PeopleIcon />,
      disabledReason: isAdmin ? undefined : t('Only administrators can add companies.'),
      ...opening({ kind: 'create-company' }),
    },
    { label: t('Create webhook'), icon: <WebhookIcon />, ...opening({ kind: 'create-webhook' }) },
    { label: t('Create token'), icon: <KeyIcon />, ...opening({ kind: 'create-token' }) },
  ]
}

const group = (id: string, label: string, commands: readonly Command[]): PaletteGroup => ({
  label,
  options: commands.map((command, index) => ({ ...command, id: `${id}-${index}` })),
})
