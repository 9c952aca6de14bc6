import type { DirectoryRow, User } from '@neptune/contract'
import { useNavigate } from 'react-router'
import { useHasSeveralCompanies, useSession } from '../../api/session.ts'
import { useForm } from '../../api/use-form.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { TextField } from '../../components/form/field.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { useCreateDirectory } from '../../features/directory/directory-queries.ts'
import { t } from '../../i18n/t.ts'
import { shortenName } from '../../lib/shorten-name.ts'
import { paths } from '../../paths.ts'
import { CompanyField, useSelectedCompany } from '../shared/dialogs/company-field.tsx'

interface Props {
  /** The company to preselect. */
  company?: string | undefined
  /** Called with the new directory. Without it, the dialog closes and a toast offers to open the directory. */
  onCreated?: ((created: DirectoryRow) => void) | undefined
  onClose: () => void
}

export function CreateDirectoryDialog({ company = '', onCreated, onClose }: Props) {
  const session = useSession()
  const user = session.kind === 'signed-in' ? session.info : undefined
  const hasSeveralCompanies = useHasSeveralCompanies()
  const create = useCreateDirectory()
  const toast = useToast()
  const navigate = useNavigate()
  const showCreated = (created: DirectoryRow) => {
    if (onCreated) return onCreated(created)
    const openAction = { label: t('Open'), onSelect: () => void navigate(paths.directory(created.id)) }
    toast({ message: t('Created “{name}”.', { name: shortenName(created.directory) }), action: openAction })
    onClose()
  }
  const form = useForm({
    initial: { directory: '', client: company },
    action: create,
    failureTitle: t('The directory was not created.'),
    fieldByCode: { 'directory.name_taken': 'directory', 'company.not_found': 'client', 'company.archived': 'client' },
    validate: ({ directory }) => ({
      ...(!directory.trim() && { directory: t('Enter a name.') }),
      ...(!client && { client: t('Choose a company.') }),
    }),
    submit({ directory }) {
      if (user) create.run({ directory, client, user: user.id }, { onSuccess: ({ data }) => showCreated(data) })
    },
  })
  const selected = useSelectedCompany(form.draft.client)
  const client = hasSeveralCompanies ? selected : (user?.company ?? '')

  return (
    <DialogFrame
      title={t('Create Directory')}
      description={t('Create a directory to upload files and assets to.')}
      confirmLabel={t('Create Directory')}
      {...form.dialog}
      onClose={onClose}
    >
      <TextField label={t('Name')} required autoComplete="off" maxLength={255} {...form.field('directory')} />
      <ClientField
        user={user}
        hasSeveralCompanies={hasSeveralCompanies}
        value={client}
        error={form.errors['client']}
        onChoose={(client) => form.change({ client })}
      />
    </DialogFrame>
  )
}

interface ClientFieldProps {
  user: User | undefined
  hasSeveralCompanies: boolean
  value: string
  error: string | undefined
  onChoose: (company: string) => void
}

/** Lets people with several companies choose one. Others see their own. */
function ClientField({ user, hasSeveralCompanies, ...field }: ClientFieldProps) {
  if (!hasSeveralCompanies)
    return <TextField label={t('Company')} name="client" readOnly value={user?.company_name ?? ''} error={field.error} />
  return <CompanyField name="client" {...field} hint={t('The company that owns the files.')} />
}
