import { useState } from 'react'
import { useToast } from '../../components/feedback/toast.tsx'
import { TextField } from '../../components/form/field.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { useCreateCompany } from '../../features/company/company-queries.ts'
import { t } from '../../i18n/t.ts'
import { describeFailure, describeFieldErrors } from '../shared/form-problem.ts'

const failureTitle = 'The company was not created.'

export function CreateCompanyDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [isMissing, setMissing] = useState(false)
  const create = useCreateCompany()
  const toast = useToast()

  const confirm = () => {
    setMissing(!name.trim())
    create.reset()
    if (!name.trim()) return
    create.run(
      { name },
      {
        onSuccess: ({ data }) => {
          toast({ message: t('Created {name}.', { name: data.name }) })
          onClose()
        },
      },
    )
  }
  const problem = create.error
    ? describeFailure(create.error, t(failureTitle), { 'company.name_taken': 'name' })
    : isMissing
      ? describeFieldErrors(t(failureTitle), { name: t('Enter a name.') })
      : undefined

  return (
    <DialogFrame
      title={t('Create company')}
      description={t('Users belong to a company and see only its data.')}
      confirmLabel={t('Create company')}
      action={create}
      dirty={name !== ''}
      error={problem?.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <TextField
        label={t('Name')}
        name="name"
        required
        autoComplete="off"
        maxLength={120}
        value={name}
        onChange={({ target }) => setName(target.value)}
        error={problem?.fields['name']}
      />
    </DialogFrame>
  )
}
