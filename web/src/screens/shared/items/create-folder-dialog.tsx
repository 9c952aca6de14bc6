import type { DirectoryRow } from '@neptune/contract'
import { useForm } from '../../../api/use-form.ts'
import { useToast } from '../../../components/feedback/toast.tsx'
import { TextField } from '../../../components/form/field.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { useCreateFolder } from '../../../features/directory/directory-queries.ts'
import { t } from '../../../i18n/t.ts'
import { shortenName } from '../../../lib/shorten-name.ts'

interface Props {
  parent: Pick<DirectoryRow, 'id' | 'directory'>
  /** Called with the new folder. Without it, a toast names the folder. */
  onCreated?: ((created: { id: string; name: string }) => void) | undefined
  onClose: () => void
}

/** Creates a folder in a directory, for staff and for recipients of an editable link. */
export function CreateFolderDialog({ parent, onCreated, onClose }: Props) {
  const create = useCreateFolder()
  const toast = useToast()
  const form = useForm({
    initial: { name: '' },
    action: create,
    failureTitle: t('The folder was not created.'),
    fieldByCode: {
      'directory.name_taken': {
        field: 'name',
        message: t('A folder or file with this name already exists here. Choose a different name.'),
      },
      'file.name_invalid': 'name',
      'folder.path_too_long': 'name',
    },
    validate: ({ name }) => (name.trim() ? {} : { name: t('Enter a name.') }),
    submit: ({ name }) =>
      create.run(
        { parent: parent.id, name: name.trim() },
        {
          onSuccess: (created) => {
            if (onCreated) onCreated(created)
            else toast({ message: t('Created “{name}”.', { name: shortenName(created.name) }) })
            onClose()
          },
        },
      ),
  })
  return (
    <DialogFrame
      title={t('New folder')}
      description={t('In {directory}', { directory: shortenName(parent.directory) })}
      confirmLabel={t('Create folder')}
      {...form.dialog}
      onClose={onClose}
    >
      <TextField label={t('Name')} required autoComplete="off" maxLength={255} {...form.field('name')} />
    </DialogFrame>
  )
}
