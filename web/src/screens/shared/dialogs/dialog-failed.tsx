import { useAction } from '../../../components/form/use-action.ts'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { t } from '../../../i18n/t.ts'

/** Shown when a dialog's script fails to load. Browsers cache a failed module, so only a reload can retry. */
export function DialogFailed({ onClose }: { onClose: () => void }) {
  const reload = useAction(async () => location.reload())
  return (
    <DialogFrame
      title={t('This dialog did not load.')}
      description={t('Check your connection, then reload the page.')}
      confirmLabel={t('Reload')}
      action={reload}
      onConfirm={() => reload.run()}
      onClose={onClose}
    />
  )
}
