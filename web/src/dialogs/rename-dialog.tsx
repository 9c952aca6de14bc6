import type { Company, DirectoryRow, ErrorCode, FileRow } from '@neptune/contract'
import { type FocusEvent, useState } from 'react'
import { DialogFrame } from '../components/dialog-frame.tsx'
import { TextField } from '../components/field.tsx'
import { useToast } from '../components/toast.tsx'
import type { ActionStatus } from '../components/use-action.ts'
import { useRenameCompany } from '../features/company/company-queries.ts'
import { useRenameDirectory } from '../features/directory/directory-queries.ts'
import { useRenameFile } from '../features/file/file-queries.ts'
import { shortName } from '../lib/short-name.ts'
import { t } from '../words/t.ts'
import { emptyProblem, problemOf } from './form-problem.ts'

export function RenameFileDialog({ file, onClose }: { file: FileRow; onClose: () => void }) {
  const rename = useRenameFile()
  return (
    <RenameDialog
      title={t('Rename File')}
      field="file_name"
      name={file.file_name}
      selects={stemLength(file.file_name)}
      change={rename}
      onRename={(file_name, then) => rename.run({ id: file.id, file_name }, { onSuccess: ({ data }) => then(data.file_name) })}
      onClose={onClose}
    />
  )
}

export function RenameDirectoryDialog({ directory: row, onClose }: { directory: DirectoryRow; onClose: () => void }) {
  const rename = useRenameDirectory()
  return (
    <RenameDialog
      title={t('Rename Directory')}
      field="directory"
      name={row.directory}
      selects={row.directory.length}
      change={rename}
      onRename={(directory, then) => rename.run({ id: row.id, directory }, { onSuccess: ({ data }) => then(data.directory) })}
      onClose={onClose}
    />
  )
}

export function RenameCompanyDialog({ company: { id, name }, onClose }: { company: Company; onClose: () => void }) {
  const rename = useRenameCompany()
  return (
    <RenameDialog
      title={t('Rename Company')}
      description={t('The new name appears everywhere the company is shown.')}
      field="name"
      name={name}
      selects={name.length}
      change={rename}
      onRename={(next, then) => rename.run({ id, name: next }, { onSuccess: ({ data }) => then(data.name) })}
      onClose={onClose}
    />
  )
}

interface RenameDialogProps {
  title: string
  description?: string
  /** What the contract calls the name. */
  field: string
  name: string
  /** How many of its letters are most likely to change. */
  selects: number
  change: Pick<ReturnType<typeof useRenameFile>, keyof ActionStatus | 'error' | 'reset'>
  onRename: (name: string, then: (renamed: string) => void) => void
  onClose: () => void
}

const failed = 'The name was not changed.'

function RenameDialog({ title, description, field, name, selects, change, onRename, onClose }: RenameDialogProps) {
  const [next, setNext] = useState(name)
  const [isMissing, setMissing] = useState(false)
  const toast = useToast()

  const confirm = () => {
    setMissing(!next.trim())
    change.reset()
    if (!next.trim()) return
    if (next === name) return onClose()
    onRename(next, (renamed) => {
      toast({ message: t('Renamed to “{name}”.', { name: shortName(renamed) }) })
      onClose()
    })
  }
  const problem = change.error
    ? problemOf(change.error, t(failed), fieldOf(field))
    : isMissing
      ? emptyProblem(t(failed), { [field]: t('Enter a name.') })
      : undefined

  return (
    <DialogFrame
      title={title}
      description={description}
      confirmLabel={t('Rename')}
      action={change}
      dirty={next !== name}
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
        value={next}
        onFocus={(event: FocusEvent<HTMLInputElement>) => next === name && event.target.setSelectionRange(0, selects)}
        onChange={({ target }) => setNext(target.value)}
        error={problem?.fields[field]}
      />
    </DialogFrame>
  )
}

/** The ending mostly stays. */
const stemLength = (name: string) => (name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length)

const fieldOf = (field: string): Partial<Record<ErrorCode, string>> => ({
  'file.name_taken': field,
  'directory.name_taken': field,
  'company.name_taken': field,
})
