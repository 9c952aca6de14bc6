import type { DirectoryRow } from '@neptune/contract'
import { useState } from 'react'
import { classNames } from '../../components/class-names.ts'
import { useAction } from '../../components/form/use-action.ts'
import { AlertIcon } from '../../components/icons.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { FileField } from '../../features/upload/files/file-field.tsx'
import { joinFiles, type PickedFile } from '../../features/upload/files/picked-files.ts'
import { useFileDrop } from '../../features/upload/files/use-file-drop.ts'
import { t } from '../../i18n/t.ts'
import { useDialog } from '../shared/dialog.ts'
import { clearErrors, describeFieldErrors, type FieldErrors } from '../shared/form-problem.ts'
import parts from '../shared/parts.module.css'
import { PlaceFields, usePlace } from '../shared/place-fields.tsx'
import { useUpload } from './use-upload.ts'

const c = classNames(parts)

interface UploadFileDialogProps {
  company: string | undefined
  directory: string | undefined
  /** Files dropped on the page. */
  files: readonly PickedFile[] | undefined
  onClose: () => void
}

export function UploadFileDialog({ onClose, ...given }: UploadFileDialogProps) {
  const [draft, setDraft] = useState({ company: given.company ?? '', directory: given.directory ?? '' })
  const [files, setFiles] = useState<readonly PickedFile[]>(given.files ?? [])
  const [missing, setMissing] = useState<FieldErrors>({})
  const { company, directories, selected } = usePlace(draft)
  const send = useUpload()
  const upload = useAction(({ id, directory }: DirectoryRow) => send(files, { id, name: directory }), {
    onSuccess: (outcome) => outcome === 'sent' && onClose(),
  })
  const change = (changes: Partial<typeof draft>) => {
    setDraft({ ...draft, ...changes })
    setMissing(clearErrors(missing, Object.keys(changes)))
  }
  const pickFiles = (chosen: readonly PickedFile[]) => {
    setFiles(chosen)
    setMissing(clearErrors(missing, ['files']))
  }
  const drop = useFileDrop({
    onFiles: (more) => pickFiles(joinFiles(files, more)),
    onFailed: () => setMissing({ files: t('The dropped files couldn’t be read. Choose them instead.') }),
  })

  const confirm = () => {
    const empty = findMissing({ company, directory: selected?.id ?? '', files })
    setMissing(empty)
    upload.reset()
    if (selected && Object.keys(empty).length === 0) upload.run(selected)
  }

  return (
    <DialogFrame
      title={t('Upload File')}
      description={t('You can keep working while files upload. No one outside can see them until you share a link.')}
      confirmLabel={t('Upload')}
      action={upload}
      dirty={files.length > 0}
      error={Object.keys(missing).length > 0 ? describeFieldErrors(t('Nothing was uploaded.'), missing).error : undefined}
      onConfirm={confirm}
      onClose={onClose}
    >
      <PlaceFields
        company={company}
        directory={selected?.id ?? ''}
        onChange={change}
        errors={missing}
        hint={directories?.length === 0 && <NoDirectories company={company} files={files} />}
      />
      <FileField id="files" files={files} onChange={pickFiles} error={missing['files']} drop={drop} />
      <p className={c('note')}>
        <AlertIcon />
        {t('This information could be displayed publicly without an access token so be careful what you share.')}
      </p>
    </DialogFrame>
  )
}

/** Offers to create a directory. Its dialog then returns to this one and keeps the chosen files. */
function NoDirectories({ company, files }: { company: string; files: readonly PickedFile[] }) {
  const open = useDialog()
  const reopen = ({ id }: DirectoryRow) => open({ kind: 'upload-file', company, directory: id, files })
  const create = () => open({ kind: 'create-directory', company, onCreated: reopen })
  return (
    <>
      {t('This company has no directories yet.')}{' '}
      <button type="button" className={c('link')} onClick={create}>
        {t('Create Directory')}
      </button>
    </>
  )
}

const findMissing = (draft: { company: string; directory: string; files: readonly PickedFile[] }): FieldErrors => ({
  ...(!draft.company && { company: t('Choose a company.') }),
  ...(!draft.directory && { directory: t('Choose a directory.') }),
  ...(draft.files.length === 0 && { files: t('Choose at least one file.') }),
})
