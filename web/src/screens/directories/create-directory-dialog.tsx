import type { DirectoryRow, User } from '@neptune/contract'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useIsAdmin, useSession } from '../../api/session.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { TextField } from '../../components/form/field.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { CompanyField, useCompany } from '../../features/company/company-field.tsx'
import { useCreateDirectory } from '../../features/directory/directory-queries.ts'
import { t } from '../../i18n/t.ts'
import { shortName } from '../../lib/short-name.ts'
import { paths } from '../../paths.ts'
import { describeFailure, describeFieldErrors } from '../shared/form-problem.ts'

const failureTitle = 'The directory was not created.'

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
  const isAdmin = useIsAdmin()
  const [directory, setDirectory] = useState('')
  const [chosenCompany, setChosenCompany] = useState(company)
  const [missing, setMissing] = useState<Record<string, string>>({})
  const create = useCreateDirectory()
  const toast = useToast()
  const navigate = useNavigate()
  const selected = useCompany(chosenCompany)
  const client = isAdmin ? selected : (user?.company ?? '')

  const confirm = () => {
    const empty = {
      ...(!directory.trim() && { directory: t('Enter a name.') }),
      ...(!client && { client: t('Choose a company.') }),
    }
    setMissing(empty)
    create.reset()
    if (Object.keys(empty).length > 0 || !user) return
    create.run(
      { directory, client, user: user.id },
      {
        onSuccess: ({ data }) => {
          if (onCreated) return onCreated(data)
          const open = { label: t('Open'), onSelect: () => void navigate(paths.directory(data.id)) }
          toast({ message: t('Created “{name}”.', { name: shortName(data.directory) }), action: open })
          onClose()
        },
      },
    )
  }
  const problem = create.error
    ? describeFailure(create.error, t(failureTitle), { 'directory.name_taken': 'directory', 'company.not_found': 'client' })
    : describeFieldErrors(t(failureTitle), missing)

  return (
    <DialogFrame
      title={t('Create Directory')}
      description={t('Create a directory to upload files and assets to.')}
      confirmLabel={t('Create Directory')}
      action={create}
      dirty={directory !== '' || chosenCompany !== company}
      error={Object.keys(problem.fields).length > 0 || create.error ? problem.error : undefined}
      onConfirm={confirm}
      onClose={onClose}
    >
      <TextField
        label={t('Name')}
        name="directory"
        required
        autoComplete="off"
        maxLength={255}
        value={directory}
        onChange={({ target }) => setDirectory(target.value)}
        error={problem.fields['directory']}
      />
      <ClientField user={user} isAdmin={isAdmin} value={client} onChange={setChosenCompany} error={problem.fields['client']} />
    </DialogFrame>
  )
}

interface ClientFieldProps {
  user: User | undefined
  isAdmin: boolean
  value: string
  onChange: (company: string) => void
  error: string | undefined
}

/** Lets admins choose a company. Users see their own. */
function ClientField({ user, isAdmin, value, onChange, error }: ClientFieldProps) {
  if (!isAdmin) return <TextField label={t('Company')} name="client" readOnly value={user?.company_name ?? ''} error={error} />
  return (
    <CompanyField
      name="client"
      value={value}
      onChange={({ target }) => onChange(target.value)}
      hint={t('The company that owns the files. You can create companies on the Users page.')}
      error={error}
    />
  )
}
