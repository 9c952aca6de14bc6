import type { DirectoryRow } from '@neptune/contract'
import type { FieldErrors } from '../../api/form-errors.ts'
import { useForm } from '../../api/use-form.ts'
import { classNames } from '../../components/class-names.ts'
import { useAction } from '../../components/form/use-action.ts'
import { AlertIcon } from '../../components/icons.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { FileField } from '../../features/upload/files/file-field.tsx'
import { isNothing, mergePicked, nothingPicked, type Picked } from '../../features/upload/files/picked-files.ts'
import { useFileDrop } from '../../features/upload/files/use-file-drop.ts'
import type { UploadTarget } from '../../features/upload/state/upload-job.ts'
import { t } from '../../i18n/t.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'
import parts from '../shared/dialogs/dialog-parts.module.css'
import { DirectoryFields, NoDirectories, useSelectedDirectory } from '../shared/dialogs/directory-fields.tsx'
import { useUpload } from './use-upload.ts'

const c = classNames(parts)

interface UploadFileDialogProps {
  company?: string
  directory?: string
  /** What was dropped on the page. */
  picked?: Picked
  onClose: () => void
}

interface Draft {
  company: string
  directory: string
  files: Picked
}

export function UploadFileDialog({ onClose, ...preset }: UploadFileDialogProps) {
  const startUploads = useUpload()
  const upload = useAction(({ files, target }: { files: Picked; target: UploadTarget }) => startUploads(files, target), {
    onSuccess: (outcome) => outcome === 'started' && onClose(),
  })
  const form = useForm<Draft>({
    initial: { company: preset.company ?? '', directory: preset.directory ?? '', files: preset.picked ?? nothingPicked },
    action: upload,
    failureTitle: t('Nothing was uploaded.'),
    validate: ({ files }): FieldErrors => findMissing({ company, directory: selected?.id ?? '', files }),
    submit({ files }) {
      if (selected) upload.run({ files, target: { id: selected.id, name: selected.directory } })
    },
  })
  const { files } = form.draft
  const { company, directories, selected } = useSelectedDirectory(form.draft)
  const open = useDialog()
  /** Returns to this dialog with the new directory and the chosen files. */
  const reopen = ({ id }: DirectoryRow) => open({ kind: 'upload-file', company, directory: id, picked: files })
  const drop = useFileDrop({
    onPicked: (more) => form.change({ files: mergePicked(files, more) }),
    onFailed: () => form.setErrors({ files: t('The dropped files couldn’t be read. Choose them instead.') }),
  })

  return (
    <DialogFrame
      title={t('Upload File')}
      description={t(
        'You can keep working while files upload. People with access to the company can see them; others can see them only through a link.',
      )}
      confirmLabel={t('Upload')}
      {...form.dialog}
      dirty={!isNothing(files)}
      onClose={onClose}
    >
      <DirectoryFields
        company={company}
        directory={selected?.id ?? ''}
        onChange={form.change}
        errors={form.errors}
        hint={directories?.length === 0 && <NoDirectories company={company} onCreated={reopen} />}
      />
      <FileField
        id="files"
        picked={files}
        onChange={(files) => form.change({ files })}
        error={form.errors['files']}
        drop={drop}
      />
      <p className={c('note')}>
        <AlertIcon />
        {t('This information could be displayed publicly without an access token so be careful what you share.')}
      </p>
    </DialogFrame>
  )
}

const findMissing = (draft: Draft): FieldErrors => ({
  ...(!draft.company && { company: t('Choose a company.') }),
  ...(!draft.directory && { directory: t('Choose a directory.') }),
  ...(isNothing(draft.files) && { files: t('Choose at least one file.') }),
})
