import type { Company, DirectoryRow, FileRow } from '@neptune/contract'
import type { FocusEvent } from 'react'
import { type FormAction, useForm } from '../../../api/use-form.ts'
import { useToast } from '../../../components/feedback/toast.tsx'
import { TextField } from '../../../components/form/field.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { useChangeCompany } from '../../../features/company/company-queries.ts'
import { useRenameDirectory } from '../../../features/directory/directory-queries.ts'
import { useRenameFile } from '../../../features/file/file-queries.ts'
import { t } from '../../../i18n/t.ts'
import { shortenName } from '../../../lib/shorten-name.ts'
import { useFilters } from '../list/use-filters.ts'

export function RenameFileDialog({ file, onClose }: { file: FileRow; onClose: () => void }) {
  const rename = useRenameFile()
  const { read, change } = useFilters()
  // If the list is filtered by exactly this name, the filter changes to the new name, so that the list still shows the file.
  const follow = (renamed: string) => read('search', 255) === file.file_name && change({ search: renamed })
  return (
    <RenameDialog
      title={t('Rename file')}
      field="file_name"
      name={file.file_name}
      selectedLength={getStemLength(file.file_name)}
      change={rename}
      onRename={(file_name, onRenamed) =>
        rename.run(
          { id: file.id, file_name },
          {
            onSuccess: ({ data }) => {
              onRenamed(data.file_name)
              follow(data.file_name)
            },
          },
        )
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

export function RenameCompanyDialog({
  company: { id, name },
  onClose,
}: {
  company: Pick<Company, 'id' | 'name'>
  onClose: () => void
}) {
  const rename = useChangeCompany()
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
  change: FormAction
  onRename: (name: string, onRenamed: (renamed: string) => void) => void
  onClose: () => void
}

export function RenameDialog({ title, description, field, name, selectedLength, change, onRename, onClose }: RenameDialogProps) {
  const toast = useToast()
  const form = useForm<Record<string, string>>({
    initial: { [field]: name },
    action: change,
    failureTitle: t('The name was not changed.'),
    fieldByCode: { 'file.name_taken': field, 'directory.name_taken': field, 'company.name_taken': field },
    validate: ({ [field]: newName = '' }) => (newName.trim() ? {} : { [field]: t('Enter a name.') }),
    submit({ [field]: newName = '' }) {
      if (newName === name) return onClose()
      onRename(newName, (renamed) => {
        toast({ message: t('Renamed to “{name}”.', { name: shortenName(renamed) }) })
        onClose()
      })
    },
  })
  return (
    <DialogFrame title={title} description={description} confirmLabel={t('Rename')} {...form.dialog} onClose={onClose}>
      <TextField
        label={t('Name')}
        required
        autoComplete="off"
        spellCheck={false}
        maxLength={255}
        onFocus={({ target }: FocusEvent<HTMLInputElement>) =>
          target.value === name && target.setSelectionRange(0, selectedLength)
        }
        {...form.field(field)}
      />
    </DialogFrame>
  )
}

/** Returns the length of a file name without its extension. */
const getStemLength = (name: string) => (name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length)
