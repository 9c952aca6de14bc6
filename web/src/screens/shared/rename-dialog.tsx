import type { Company, DirectoryRow, ErrorCode, FileRow } from '@neptune/contract'
import { type FocusEvent, useState } from 'react'
import { useToast } from '../../components/feedback/toast.tsx'
import { TextField } from '../../components/form/field.tsx'
import type { ActionStatus } from '../../components/form/use-action.ts'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { useRenameCompany } from '../../features/company/company-queries.ts'
import { useRenameDirectory } from '../../features/directory/directory-queries.ts'
import { useRenameFile } from '../../features/file/file-queries.ts'
import { t } from '../../i18n/t.ts'
import { shortName } from '../../lib/short-name.ts'
import { describeFailure, describeFieldErrors } from './form-problem.ts'

export function RenameFileDialog({ file, onClose }: { file: FileRow; onClose: () => void }) {
  const rename = useRenameFile()
  return (
    <RenameDialog
      title={t('Rename file')}
      field="file_name"
      name={file.file_name}
      selectedLength={getStemLength(file.file_name)}
      change={rename}
      onRename={(file_name, onRenamed) =>
        rename.run({ id: file.id, file_name }, { onSuccess: ({ data }) => onRenamed(data.file_name) })
      }
      onClose={onClose}
    />
  )
}

export function RenameDirectoryDialog({ directory: row, onClose }: { directory: DirectoryRow; onClose: () => void }) {
  const rename = useRenameDirectory()
  return (
    <RenameDialog
      title={t('Rename directory')}
      field="directory"
      name={row.directory}
      selectedLength={row.directory.length}
      change={rename}
      onRename={(directory, onRenamed) =>
        rename.run({ id: row.id, directory }, { onSuccess: ({ data }) => onRenamed(data.directory) })
      }
      onClose={onClose}
    />
  )
}

export function RenameCompanyDialog({ company: { id, name }, onClose }: { company: Company; onClose: () => void }) {
  const rename = useRenameCompany()
  return (
    <RenameDialog
      title={t('Rename company')}
      description={t('The new name appears everywhere the company is shown.')}
      field="name"
      name={name}
      selectedLength={name.length}
      change={rename}
      onRename={(newName, onRenamed) => rename.run({ id, name: newName }, { onSuccess: ({ data }) => onRenamed(data.name) })}
      onClose={onClose}
    />
  )
}

interface RenameDialogProps {
  title: string
  description?: string
  /** The name's field in the API. */
  field: string
  name: string
  /** How many leading characters to select. */
  selectedLength: number
  change: Pick<ReturnType<typeof useRenameFile>, keyof ActionStatus | 'error' | 'reset'>
  onRename: (name: string, onRenamed: (renamed: string) => void) => void
  onClose: () => void
}

const failureTitle = 'The name was not changed.'

function RenameDialog({ title, description, field, name, selectedLength, change, onRename, onClose }: RenameDialogProps) {
  const [newName, setNewName] = useState(name)
  const [isMissing, setMissing] = useState(false)
  const toast = useToast()

  const confirm = () => {
    setMissing(!newName.trim())
    change.reset()
    if (!newName.trim()) return
    if (newName === name) return onClose()
    onRename(newName, (renamed) => {
      toast({ message: t('Renamed to “{name}”.', { name: shortName(renamed) }) })
      onClose()
    })
  }
  const problem = change.error
    ? describeFailure(change.error, t(failureTitle), mapNameErrors(field))
    : isMissing
      ? describeFieldErrors(t(failureTitle), { [field]: t('Enter a name.') })
      : undefined

  return (
    <DialogFrame
      title={title}
      description={description}
      confirmLabel={t('Rename')}
      action={change}
      dirty={newName !== name}
      error={problem?.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <TextField
        label={t('Name')}
        name={field}
        required
        autoComplete="off"
        spellCheck={false}
        maxLength={255}
        value={newName}
        onFocus={(event: FocusEvent<HTMLInputElement>) => newName === name && event.target.setSelectionRange(0, selectedLength)}
        onChange={({ target }) => setNewName(target.value)}
        error={problem?.fields[field]}
      />
    </DialogFrame>
  )
}

/** Returns the length of a file name without its extension. */
const getStemLength = (name: string) => (name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length)

const mapNameErrors = (field: string): Partial<Record<ErrorCode, string>> => ({
  'file.name_taken': field,
  'directory.name_taken': field,
  'company.name_taken': field,
})
