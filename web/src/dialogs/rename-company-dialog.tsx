import type { Company } from '@neptune/contract'
import { useState } from 'react'
import { DialogFrame } from '../components/dialog-frame.tsx'
import { TextField } from '../components/field.tsx'
import { useToast } from '../components/toast.tsx'
import { useRenameCompany } from '../features/company/company-queries.ts'
import { emptyProblem, problemOf } from './form-problem.ts'

const failed = 'The company was not renamed.'

export function RenameCompanyDialog({ company: { id, name }, onClose }: { company: Company; onClose: () => void }) {
  const [next, setNext] = useState(name)
  const [isMissing, setMissing] = useState(false)
  const rename = useRenameCompany()
  const toast = useToast()

  const confirm = () => {
    setMissing(!next.trim())
    rename.reset()
    if (!next.trim()) return
    if (next === name) return onClose()
    rename.mutate(
      { id, name: next },
      {
        onSuccess: ({ data }) => {
          toast({ message: `Renamed ${name} to ${data.name}.` })
          onClose()
        },
      },
    )
  }
  const problem = rename.isError
    ? problemOf(rename.error, failed, { 'company.name_taken': 'name' })
    : isMissing
      ? emptyProblem(failed, { name: 'Enter a name.' })
      : undefined

  return (
    <DialogFrame
      title="Rename Company"
      description="The new name shows wherever the company does."
      confirmLabel="Rename Company"
      busy={rename.isPending}
      dirty={next !== name}
      error={problem?.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        maxLength={120}
        value={next}
        onFocus={({ target }) => next === name && target.select()}
        onChange={({ target }) => setNext(target.value)}
        error={problem?.fields['name']}
      />
    </DialogFrame>
  )
}
