import { Button } from '../../../components/form/button.tsx'
import { UploadIcon } from '../../../components/icons.tsx'
import { t } from '../../../i18n/t.ts'
import { useDialog } from './dialog.ts'

interface Props {
  variant?: 'primary'
  /** The target, if the page determines it. */
  company?: string
  directory?: string
  disabledReason?: string | undefined
}

export function UploadButton({ variant, disabledReason, ...target }: Props) {
  const open = useDialog()
  return (
    <Button
      variant={variant}
      icon={<UploadIcon />}
      disabledReason={disabledReason}
      onClick={() => open({ kind: 'upload-file', ...target })}
    >
      {t('Upload file')}
    </Button>
  )
}
