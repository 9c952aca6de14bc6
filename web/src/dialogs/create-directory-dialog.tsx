import type { DirectoryRow, User } from '@neptune/contract'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useIsAdmin, useSession } from '../api/session.ts'
import { DialogFrame } from '../components/dialog-frame.tsx'
import { TextField } from '../components/field.tsx'
import { useToast } from '../components/toast.tsx'
import { CompanyField, useCompany } from '../features/company/company-field.tsx'
import { useCreateDirectory } from '../features/directory/directory-queries.ts'
import { shortName } from '../lib/short-name.ts'
import { paths } from '../paths.ts'
import { t } from '../words/t.ts'
import { emptyProblem, problemOf } from './form-problem.ts'

const failed = 'The directory was not created.'

interface Props {
  /** The company it is most likely for. */
  company?: string | undefined
  /** Takes over once it is there; otherwise a toast leads to it. */
  onCreated?: ((created: DirectoryRow) => void) | undefined
  onClose: () => void
}

export function CreateDirectoryDialog({ company = '', onCreated, onClose }: Props) {
  const session = useSession()
  const own = session.kind === 'signed-in' ? session.info : undefined
  const isAdmin = useIsAdmin()
  const [directory, setDirectory] = useState('')
  const [chosen, setChosen] = useState(company)
  const [missing, setMissing] = useState<Record<string, string>>({})
  const create = useCreateDirectory()
  const toast = useToast()
  const navigate = useNavigate()
  const only = useCompany(chosen)
  const client = isAdmin ? only : (own?.company ?? '')

  const confirm = () => {
    const empty = {
      ...(!directory.trim() && { directory: t('Enter a name.') }),
      ...(!client && { client: t('Choose a company.') }),
    }
    setMissing(empty)
    create.reset()
    if (Object.keys(empty).length > 0 || !own) return
    create.run(
      { directory, client, user: own.id },
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
    ? problemOf(create.error, t(failed), { 'directory.name_taken': 'directory', 'company.not_found': 'client' })
    : emptyProblem(t(failed), missing)

  return (
    <DialogFrame
      title={t('Create Directory')}
      description={t('Create a directory to upload files and assets to.')}
      confirmLabel={t('Create Directory')}
      action={create}
      dirty={directory !== '' || chosen !== company}
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
      <ClientField own={own} isAdmin={isAdmin} value={client} onChange={setChosen} error={problem.fields['client']} />
    </DialogFrame>
  )
}

interface ClientFieldProps {
  own: User | undefined
  isAdmin: boolean
  value: string
  onChange: (company: string) => void
  error: string | undefined
}

/** Only admins choose. */
function ClientField({ own, isAdmin, value, onChange, error }: ClientFieldProps) {
  if (!isAdmin) return <TextField label={t('Company')} name="client" readOnly value={own?.company_name ?? ''} error={error} />
  return (
    <CompanyField
      name="client"
      value={value}
      onChange={({ target }) => onChange(target.value)}
      hint={t('The company that owns the files. You can add companies on the Users page.')}
      error={error}
    />
  )
}
