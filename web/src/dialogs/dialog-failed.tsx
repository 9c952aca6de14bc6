import { DialogFrame } from '../components/dialog-frame.tsx'
import { t } from '../words/t.ts'

/** Browsers remember that a script failed, so only a fresh page can try again. */
export const DialogFailed = ({ onClose }: { onClose: () => void }) => (
  <DialogFrame
    title={t('This dialog did not load.')}
    description={t('Check your connection, then reload the page.')}
    confirmLabel={t('Reload')}
    onConfirm={() => location.reload()}
    onClose={onClose}
  />
)
