import { useToast } from '../../components/feedback/toast.tsx'
import { DropOverlay } from '../../components/layout/drop-overlay.tsx'
import { describeUnreadable } from '../../features/upload/files/describe-unreadable.ts'
import { type Drop, useFileDrop } from '../../features/upload/files/use-file-drop.ts'
import type { UploadTarget } from '../../features/upload/state/upload-job.ts'
import { t } from '../../i18n/t.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'
import { useUpload } from './use-upload.ts'

interface Props {
  target: UploadTarget | undefined
  /** Why nothing can be uploaded to the directory that is shown. */
  blockedReason?: string | undefined
}

/** Uploads files dropped anywhere on the page to the directory that is shown. On other pages, opens the upload dialog. */
export function UploadDrop({ target, blockedReason }: Props) {
  const open = useDialog()
  const upload = useUpload()
  const toast = useToast()
  const drop = useFileDrop({
    accepts: () => !document.querySelector('dialog:modal, [data-drop-area]'),
    async onPicked(picked) {
      if (blockedReason) toast({ message: blockedReason })
      else if (!target) open({ kind: 'upload-file', picked })
      else {
        if (picked.unreadable.length > 0) toast({ message: describeUnreadable(picked.unreadable) })
        await upload(picked, target)
      }
    },
    onFailed: () => toast({ message: t('The dropped files couldn’t be read. Use “Upload file” instead.') }),
  })
  if (drop.kind === 'none') return null
  return <DropOverlay text={blockedReason ?? getOverlayText(drop, target)} />
}

function getOverlayText(drop: Drop, target: UploadTarget | undefined): string {
  if (drop.kind === 'reading') return t('Reading {n} files', { n: drop.files })
  return target ? t('Drop to upload to {directory}', { directory: target.name }) : t('Drop to choose where to upload')
}
