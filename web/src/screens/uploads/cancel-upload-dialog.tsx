import type { UploadRow } from '@neptune/contract'
import { describeFailure } from '../../api/form-errors.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { useCancelUpload } from '../../features/upload/open-uploads/open-uploads-queries.ts'
import { t } from '../../i18n/t.ts'
import { shortenName } from '../../lib/shorten-name.ts'
import { formatSize } from '../../lib/sizes.ts'

export function CancelUploadDialog({ upload, onClose }: { upload: UploadRow; onClose: () => void }) {
  const cancel = useCancelUpload()
  const toast = useToast()
  const name = shortenName(upload.file_name)
  const confirm = () =>
    cancel.run(upload.id, {
      onSuccess: () => {
        toast({ message: t('Cancelled the upload of “{name}”.', { name }) })
        onClose()
      },
    })
  return (
    <DialogFrame
      title={t('Cancel upload')}
      description={t('{received} of “{name}” has been uploaded. If you cancel, it’s deleted and the upload has to start over.', {
        received: formatSize(upload.received),
        name,
      })}
      confirmLabel={t('Cancel upload')}
      cancelLabel={t('Keep it')}
      danger
      action={cancel}
      error={describeFailure(cancel.error, t('The upload was not cancelled.'))}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}
