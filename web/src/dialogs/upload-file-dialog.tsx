import type { DirectoryRow } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { classNames } from '../components/class-names.ts'
import { DialogFrame } from '../components/dialog-frame.tsx'
import { SelectField } from '../components/field.tsx'
import { AlertIcon } from '../components/icons.tsx'
import { companyOptions } from '../features/company/company-options.ts'
import { companiesQuery } from '../features/company/company-queries.ts'
import { FileField } from '../features/upload/file-field.tsx'
import { joinFiles, type PickedFile } from '../features/upload/picked-files.ts'
import { targetsQuery } from '../features/upload/upload-queries.ts'
import { useFileDrop } from '../features/upload/use-file-drop.ts'
import { t } from '../words/t.ts'
import { useDialog } from './dialog.ts'
import { emptyProblem } from './form-problem.ts'
import css from './upload-dialogs.module.css'
import { useUpload } from './use-upload.ts'

const c = classNames(css)

interface UploadFileDialogProps {
  company: string | undefined
  directory: string | undefined
  /** What was dropped on the page. */
  files: readonly PickedFile[] | undefined
  onClose: () => void
}

export function UploadFileDialog({ onClose, ...given }: UploadFileDialogProps) {
  const [draft, setDraft] = useState({ company: given.company ?? '', directory: given.directory ?? '' })
  const [files, setFiles] = useState<readonly PickedFile[]>(given.files ?? [])
  const [missing, setMissing] = useState<Record<string, string>>({})
  const [isBusy, setBusy] = useState(false)
  const companies = useQuery(companiesQuery())
  // Users see one company only, their own.
  const company = draft.company || (companies.data?.length === 1 ? (companies.data[0]?.id ?? '') : '')
  const targets = useQuery(targetsQuery(company))
  const target = targets.data?.find(({ id }) => id === draft.directory)
  const upload = useUpload()
  const change = (changes: Partial<typeof draft>) => {
    setDraft({ ...draft, ...changes })
    setMissing(without(missing, Object.keys(changes)))
  }
  const take = (chosen: readonly PickedFile[]) => {
    setFiles(chosen)
    setMissing(without(missing, ['files']))
  }
  const drop = useFileDrop({
    onFiles: (more) => take(joinFiles(files, more)),
    onFailed: () => setMissing({ files: t('What you dropped could not be read. Choose it instead.') }),
  })

  const confirm = async () => {
    const empty = findEmpty({ company, directory: target?.id ?? '', files })
    setMissing(empty)
    if (!target || Object.keys(empty).length > 0) return
    setBusy(true)
    const outcome = await upload(files, { id: target.id, name: target.directory })
    if (outcome === 'sent') onClose()
  }

  const isEmpty = targets.data?.length === 0
  return (
    <DialogFrame
      title={t('Upload File')}
      description={t('Files go up in the background; you can go on working.')}
      confirmLabel={t('Upload')}
      busy={isBusy}
      dirty={files.length > 0}
      error={Object.keys(missing).length > 0 ? emptyProblem(t('Nothing was uploaded.'), missing).error : undefined}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <SelectField
        label={t('Company')}
        name="company"
        required
        placeholder={companies.isPending ? t('Loading companies') : t('Choose a company')}
        options={companyOptions(companies.data)}
        value={company}
        onChange={({ target }) => change({ company: target.value, directory: '' })}
        error={missing['company'] ?? (companies.isError && !companies.data ? companies.error.message : undefined)}
      />
      <SelectField
        label={t('Directory')}
        name="directory"
        required
        placeholder={placeholderFor(company, targets)}
        options={(targets.data ?? []).map(({ id, directory }) => ({ value: id, label: directory }))}
        value={target?.id ?? ''}
        disabled={!company}
        onChange={({ target }) => change({ directory: target.value })}
        hint={isEmpty && <NoDirectories company={company} files={files} />}
        error={missing['directory'] ?? (targets.isError && !targets.data ? targets.error.message : undefined)}
      />
      <FileField id="files" files={files} onChange={take} error={missing['files']} drop={drop} />
      <p className={c('warning')}>
        <AlertIcon />
        {t('This information could be displayed publicly without an access token so be careful what you share.')}
      </p>
    </DialogFrame>
  )
}

/** What was mended is no longer wrong. */
const without = (faults: Record<string, string>, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(faults).filter(([field]) => !fields.includes(field)))

function placeholderFor(company: string, { data, isError }: { data?: readonly unknown[] | undefined; isError: boolean }) {
  if (!company) return t('Choose a company first')
  if (data?.length === 0) return t('No directories')
  return data || isError ? t('Choose a directory') : t('Loading directories')
}

/** A new one is made in its own dialog, which comes back to this one, and to the files chosen so far. */
function NoDirectories({ company, files }: { company: string; files: readonly PickedFile[] }) {
  const open = useDialog()
  const comeBack = ({ id }: DirectoryRow) => open({ kind: 'upload-file', company, directory: id, files })
  const create = () => open({ kind: 'create-directory', company, onCreated: comeBack })
  return (
    <>
      {t('This company has no directories yet.')}{' '}
      <button type="button" className={c('link')} onClick={create}>
        {t('Create Directory')}
      </button>
    </>
  )
}

const findEmpty = (draft: { company: string; directory: string; files: readonly PickedFile[] }): Record<string, string> => ({
  ...(!draft.company && { company: t('Choose a company.') }),
  ...(!draft.directory && { directory: t('Choose a directory.') }),
  ...(draft.files.length === 0 && { files: t('Choose at least one file.') }),
})
