import { useState } from 'react'
import { DialogFrame } from '../components/dialog-frame.tsx'
import { TextField } from '../components/field.tsx'
import { useToast } from '../components/toast.tsx'
import { useCreateCompany } from '../features/company/company-queries.ts'
import { emptyProblem, problemOf } from './form-problem.ts'

const failed = 'The company was not created.'

export function CreateCompanyDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [isMissing, setMissing] = useState(false)
  const create = useCreateCompany()
  const toast = useToast()

  const confirm = () => {
    setMissing(!name.trim())
    create.reset()
    if (!name.trim()) return
    create.mutate(
      { name },
      {
        onSuccess: ({ data }) => {
          toast({ message: `Created ${data.name}.` })
          onClose()
        },
      },
    )
  }
  const problem = create.isError
    ? problemOf(create.error, failed, { 'company.name_taken': 'name' })
    : isMissing
      ? emptyProblem(failed, { name: 'Enter a name.' })
      : undefined

  return (
    <DialogFrame
      title="Create Company"
      description="Users belong to a company, and see only what is its own."
      confirmLabel="Create Company"
      busy={create.isPending}
      dirty={name !== ''}
      error={problem?.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        maxLength={120}
        value={name}
        onChange={({ target }) => setName(target.value)}
        error={problem?.fields['name']}
      />
    </DialogFrame>
  )
}
