import { DialogFrame } from '../components/dialog-frame.tsx'
import { useAction } from '../components/use-action.ts'
import { t } from '../words/t.ts'

/** Browsers remember that a script failed, so only a fresh page can try again. */
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
