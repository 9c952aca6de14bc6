import type { Access } from '@neptune/contract'
import { useNavigate } from 'react-router'
import { ApiError } from '../../api/api-error.ts'
import { useForm } from '../../api/use-form.ts'
import type { Visit } from '../../api/visit.ts'
import { classNames } from '../../components/class-names.ts'
import { AlertIcon, CheckIcon } from '../../components/entry-icons.tsx'
import { useToast } from '../../components/feedback/toast.tsx'
import { Button } from '../../components/form/button.tsx'
import { useAction } from '../../components/form/use-action.ts'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { DropOverlay } from '../../components/layout/drop-overlay.tsx'
import { useIssueReceipt } from '../../features/receipt/receipt-queries.ts'
import { describeUnreadable } from '../../features/upload/files/describe-unreadable.ts'
import { FileField } from '../../features/upload/files/file-field.tsx'
import { isNothing, mergePicked, nothingPicked, type Picked } from '../../features/upload/files/picked-files.ts'
import { useFileDrop } from '../../features/upload/files/use-file-drop.ts'
import { getRecipientUploads } from '../../features/upload/recipient-uploads.ts'
import { getPath, type UploadJob } from '../../features/upload/state/upload-job.ts'
import { Tray } from '../../features/upload/tray/tray.tsx'
import { useUploadSnapshot } from '../../features/upload/tray/upload-context.ts'
import { describeJob } from '../../features/upload/upload-texts.ts'
import { useReceivedFiles } from '../../features/upload/use-received-files.ts'
import { t } from '../../i18n/t.ts'
import { formatAmount } from '../../lib/sizes.ts'
import { paths } from '../../paths.ts'
import css from './access-page.module.css'
import { describeUploadLimits } from './describe-upload-limits.ts'

const c = classNames(css)

interface AccessUploadProps {
  access: Access
  visit: Visit
  isOpen: boolean
  onClose: () => void
}

/** Everything a recipient needs for uploads: the dialog, drag and drop, the upload tray, and a summary of received files. */
export function AccessUpload({ access, visit, isOpen, onClose }: AccessUploadProps) {
  const { key, directory_id, name, shared_by } = access
  const uploads = getRecipientUploads(visit, key)
  const { jobs, totals } = useUploadSnapshot(uploads)
  const received = useReceivedFiles(key, visit, jobs)
  const toast = useToast()
  // If a name already exists, the server keeps both files, so there is nothing to ask.
  const upload = ({ files, emptyFolders }: Picked) =>
    uploads.add(
      { files: files.map((file) => ({ ...file, conflict: 'keep' })), emptyFolders },
      { id: directory_id, name, contact: shared_by },
    )
  const drop = useFileDrop({
    accepts: () => !document.querySelector('dialog:modal'),
    onPicked(picked) {
      if (picked.unreadable.length > 0) toast({ message: describeUnreadable(picked.unreadable) })
      upload(picked)
    },
    onFailed: () => toast({ message: t('The dropped files couldn’t be read. Use “Upload file” instead.') }),
  })
  return (
    <>
      {received.length > 0 && totals.active === 0 && <ReceivedSummary received={received} visit={visit} />}
      {totals.failed > 0 && totals.active === 0 && <FailedSummary failed={jobs.filter(({ state }) => state.kind === 'failed')} />}
      {drop.kind !== 'none' && (
        <DropOverlay
          text={
            drop.kind === 'over'
              ? t('Drop to upload to {directory}', { directory: name })
              : t('Reading {n} files', { n: drop.files })
          }
        />
      )}
      {isOpen && <UploadDialog access={access} onUpload={upload} onClose={onClose} />}
      <Tray uploads={uploads} />
    </>
  )
}

/** Shows what was received. The tray announces it to screen readers, so this has no live region. */
function ReceivedSummary({ received, visit }: { received: ReturnType<typeof useReceivedFiles>; visit: Visit }) {
  const bytes = received.reduce((sum, [, size]) => sum + size, 0)
  return (
    <div className={c('received')}>
      <CheckIcon size={24} />
      <p>{t('Received: {amount}', { amount: formatAmount(received.length, bytes) })}</p>
      <ReceiptButton files={received.map(([file]) => file)} visit={visit} />
    </div>
  )
}

const maxFailuresShown = 5

/** Names the files that were not received, so that nobody leaves the page without noticing. The tray announces them, too. */
function FailedSummary({ failed }: { failed: readonly UploadJob[] }) {
  const rest = failed.length - maxFailuresShown
  return (
    <div className={c('received', 'failed')}>
      <AlertIcon size={24} />
      <ul>
        {failed.slice(0, maxFailuresShown).map((job) => (
          <li key={job.id}>{t('{name} was not uploaded. {reason}', { name: getPath(job), reason: describeJob(job) })}</li>
        ))}
        {rest > 0 && <li>{t('and {n} more', { n: rest })}</li>}
      </ul>
    </div>
  )
}

/** Issues a receipt for the received files and opens its page. */
function ReceiptButton({ files, visit }: { files: readonly string[]; visit: Visit }) {
  const issue = useIssueReceipt(visit)
  const navigate = useNavigate()
  const toast = useToast()
  const issueAndOpen = () =>
    issue.run(files, {
      onSuccess: ({ receipt }) => void navigate(paths.receipt(receipt.id)),
      onError: (error) => toast({ message: error instanceof ApiError ? error.message : t('The receipt was not created.') }),
    })
  return (
    <Button busy={issue.isBusy} onClick={issueAndOpen}>
      {t('Receipt')}
    </Button>
  )
}

interface UploadDialogProps {
  access: Access
  onUpload: (files: Picked) => void
  onClose: () => void
}

function UploadDialog({ access, onUpload, onClose }: UploadDialogProps) {
  const upload = useAction(async (files: Picked) => onUpload(files), { onSuccess: onClose })
  const form = useForm<{ files: Picked }>({
    initial: { files: nothingPicked },
    action: upload,
    failureTitle: t('Nothing was uploaded.'),
    validate: ({ files }) => (!isNothing(files) ? {} : { files: t('Choose at least one file.') }),
    submit: ({ files }) => upload.run(files),
  })
  const { files } = form.draft
  const drop = useFileDrop({
    onPicked: (more) => form.change({ files: mergePicked(files, more) }),
    onFailed: () => form.setErrors({ files: t('The dropped files couldn’t be read. Choose them instead.') }),
  })
  return (
    <DialogFrame
      title={t('Upload File')}
      description={t('Files are uploaded to {directory}. Keep this page open until they finish.', { directory: access.name })}
      confirmLabel={t('Upload')}
      {...form.dialog}
      onClose={onClose}
    >
      <FileField
        id="files"
        picked={files}
        onChange={(files) => form.change({ files })}
        error={form.errors['files']}
        drop={drop}
        note={describeUploadLimits(access)}
      />
    </DialogFrame>
  )
}
