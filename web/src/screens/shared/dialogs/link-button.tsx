import { Button } from '../../../components/form/button.tsx'
import { LinkIcon } from '../../../components/icons.tsx'
import { t } from '../../../i18n/t.ts'
import { useDialog } from './dialog.ts'

interface Props {
  variant?: 'primary'
  /** What to share, if the page determines it. */
  company?: string
  directory?: string
  disabledReason?: string | undefined
}

export function LinkButton({ variant, disabledReason, ...target }: Props) {
  const open = useDialog()
  return (
    <Button
      variant={variant}
      icon={<LinkIcon />}
      disabledReason={disabledReason}
      onClick={() => open({ kind: 'create-link', ...target })}
    >
      {t('Create link')}
    </Button>
  )
}
