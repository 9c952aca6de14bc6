import { Button } from '../../components/form/button.tsx'
import { LinkIcon } from '../../components/icons.tsx'
import { t } from '../../i18n/t.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'

/** Opens the dialog that creates a link, with nothing preselected. */
export function CreateLinkButton({ variant }: { variant?: 'primary' }) {
  const open = useDialog()
  return (
    <Button variant={variant} icon={<LinkIcon />} onClick={() => open({ kind: 'create-link' })}>
      {t('Create link')}
    </Button>
  )
}
