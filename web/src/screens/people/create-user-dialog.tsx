import type { Role } from '@neptune/contract'
import { type ChangeEvent, useState } from 'react'
import { useToast } from '../../components/feedback/toast.tsx'
import { PasswordField, SelectField } from '../../components/form/field.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { CompanyField, useCompany } from '../../features/company/company-field.tsx'
import { roleEffects, roleOptions } from '../../features/user/roles.ts'
import { useCreateUser } from '../../features/user/user-queries.ts'
import { t } from '../../i18n/t.ts'
import { checkPassword, getPasswordHelp } from '../../lib/password-hint.ts'
import { describeFailure, describeFieldErrors } from '../shared/form-problem.ts'
import { PersonFields } from './person-fields.tsx'

const emptyDraft = { name: '', email: '', company: '', role: 'NEPTUNE_USER' as Role, password: '' }
const failureTitle = 'The user was not created.'

export function CreateUserDialog({ onClose }: { onClose: () => void }) {
  const [typed, setDraft] = useState(emptyDraft)
  const draft = { ...typed, company: useCompany(typed.company) }
  const [errors, setErrors] = useState<Record<string, string>>({})
  const create = useCreateUser()
  const toast = useToast()

  const confirm = () => {
    const invalid = validate(draft)
    setErrors(invalid)
    create.reset()
    if (Object.keys(invalid).length > 0) return
    create.run(draft, {
      onSuccess: ({ data }) => {
        toast({ message: t('Created {name}.', { name: data.name }) })
        onClose()
      },
    })
  }
  const { fields, error } = create.error
    ? describeFailure(create.error, t(failureTitle), { 'user.email_taken': 'email', 'company.not_found': 'company' })
    : describeFieldErrors(t(failureTitle), errors)
  const field = (name: keyof typeof emptyDraft) => ({
    name,
    value: draft[name],
    error: fields[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => setDraft({ ...draft, [name]: target.value }),
  })

  return (
    <DialogFrame
      title={t('Create User')}
      description={t(
        'They can sign in right away with this email address and password. No email is sent: give them the password yourself.',
      )}
      confirmLabel={t('Create User')}
      action={create}
      dirty={Object.values(typed).join() !== Object.values(emptyDraft).join()}
      error={Object.keys(fields).length > 0 || create.error ? error : undefined}
      onConfirm={confirm}
      onClose={onClose}
    >
      <PersonFields field={field} />
      <CompanyField {...field('company')} />
      <SelectField label={t('Role')} required options={roleOptions()} hint={t(roleEffects[draft.role])} {...field('role')} />
      <PasswordField
        label={t('Password')}
        required
        autoComplete="new-password"
        {...field('password')}
        {...getPasswordHelp(draft.password, fields['password'])}
      />
    </DialogFrame>
  )
}

function validate({ name, email, company, password }: typeof emptyDraft): Record<string, string> {
  const passwordError = checkPassword(password)
  return {
    ...(!name.trim() && { name: t('Enter a name.') }),
    ...(!email.trim() && { email: t('Enter an email address.') }),
    ...(!company && { company: t('Choose a company.') }),
    ...(passwordError && { password: passwordError }),
  }
}
