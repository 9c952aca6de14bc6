import type { Company } from '@neptune/contract'
import { useNavigate } from 'react-router'
import { useForm } from '../../api/use-form.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { TextField } from '../../components/form/field.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { useCreateCompany } from '../../features/company/company-queries.ts'
import { t } from '../../i18n/t.ts'
import { paths } from '../../paths.ts'

interface Props {
  onCreated?: ((created: Company) => void) | undefined
  onClose: () => void
}

export function CreateCompanyDialog({ onCreated, onClose }: Props) {
  const create = useCreateCompany()
  const toast = useToast()
  const navigate = useNavigate()
  const form = useForm({
    initial: { name: '' },
    action: create,
    failureTitle: t('The company was not created.'),
    fieldByCode: { 'company.name_taken': 'name' },
    validate: ({ name }) => (name.trim() ? {} : { name: t('Enter a name.') }),
    submit: (draft) =>
      create.run(draft, {
        onSuccess({ data }) {
          const openAction = { label: t('Open'), onSelect: () => void navigate(paths.company(data.id)) }
          toast({ message: t('Created {name}.', { name: data.name }), action: onCreated ? undefined : openAction })
          onCreated?.(data)
          onClose()
        },
      }),
  })

  return (
    <DialogFrame
      title={t('Create company')}
      description={t('Users belong to a company. They see only its data, unless you give them access to others.')}
      confirmLabel={t('Create company')}
      {...form.dialog}
      onClose={onClose}
    >
      <TextField label={t('Name')} required autoComplete="off" maxLength={120} {...form.field('name')} />
    </DialogFrame>
  )
}
