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
import type { PaletteGroup, PaletteOption } from '../components/menu/palette-list.tsx'
import { t } from '../i18n/t.ts'
import { paths } from '../paths.ts'
import { type Commands, type Dialog, useDialog } from '../screens/shared/dialogs/dialog.ts'

type Command = Omit<PaletteOption, 'id'>

/** Returns the commands available on every page. */
export function useCommands({ pages, menu }: Commands): PaletteGroup[] {
  const navigate = useNavigate()
  const docs = { label: t('API documentation'), to: paths.docs }
  const toCommand = ({ label, to }: Commands['pages'][number]) => ({
    label,
    icon: <ArrowIcon />,
    onSelect: () => void navigate(to),
  })
  return [
    createGroup('action', t('Actions'), useActions()),
    createGroup('page', t('Pages'), [...pages, docs].map(toCommand)),
    createGroup('menu', t('Account and settings'), menu),
  ]
}

function useActions(): Command[] {
  const open = useDialog()
  const isAdmin = useIsAdmin()
  const openOnSelect = (dialog: Dialog) => ({ onSelect: () => open(dialog) })
  return [
    { label: t('Create link'), icon: <LinkIcon />, ...openOnSelect({ kind: 'create-link' }) },
    { label: t('Upload file'), icon: <UploadIcon />, ...openOnSelect({ kind: 'upload-file' }) },
    { label: t('Create Directory'), icon: <FolderIcon />, ...openOnSelect({ kind: 'create-directory' }) },
    ...(isAdmin
      ? [
          { label: t('Add user'), icon: <PersonIcon />, ...openOnSelect({ kind: 'create-user' }) },
          { label: t('Create company'), icon: <PeopleIcon />, ...openOnSelect({ kind: 'create-company' }) },
        ]
      : []),
    { label: t('Create webhook'), icon: <WebhookIcon />, ...openOnSelect({ kind: 'create-webhook' }) },
    { label: t('Create token'), icon: <KeyIcon />, ...openOnSelect({ kind: 'create-token' }) },
  ]
}

const createGroup = (id: string, label: string, commands: readonly Command[]): PaletteGroup => ({
  label,
  options: commands.map((command, index) => ({ ...command, id: `${id}-${index}` })),
})
