import type { Role } from '@neptune/contract'
import type { FieldErrors } from '../../api/form-errors.ts'
import { useForm } from '../../api/use-form.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { PasswordField, SelectField } from '../../components/form/field.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { CompanyField, useSelectedCompany } from '../../features/company/company-field.tsx'
import { getRoleOptions, roleEffects } from '../../features/user/roles.ts'
import { useCreateUser } from '../../features/user/user-queries.ts'
import { t } from '../../i18n/t.ts'
import { checkPassword, getPasswordHelp } from '../../lib/password-hint.ts'
import { PersonFields } from './person-fields.tsx'

const emptyDraft = { name: '', email: '', company: '', role: 'NEPTUNE_USER' as Role, password: '' }

export function CreateUserDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateUser()
  const toast = useToast()
  const form = useForm({
    initial: emptyDraft,
    action: create,
    failureTitle: t('The user was not created.'),
    fieldByCode: { 'user.email_taken': 'email', 'company.not_found': 'company' },
    validate: (draft) => validate({ ...draft, company }),
    submit: (draft) =>
      create.run(
        { ...draft, company },
        {
          onSuccess({ data }) {
            toast({ message: t('Created {name}.', { name: data.name }) })
            onClose()
          },
        },
      ),
  })
  const company = useSelectedCompany(form.draft.company)
  const password = form.field('password')

  return (
    <DialogFrame
      title={t('Create User')}
      description={t(
        'They can sign in right away with this email address and password. No email is sent: give them the password yourself.',
      )}
      confirmLabel={t('Create User')}
      {...form.dialog}
      onClose={onClose}
    >
      <PersonFields field={form.field} />
      <CompanyField {...form.field('company')} value={company} />
      <SelectField
        label={t('Role')}
        required
        options={getRoleOptions()}
        hint={t(roleEffects[form.draft.role])}
        {...form.field('role')}
      />
      <PasswordField
        label={t('Password')}
        required
        autoComplete="new-password"
        {...password}
        {...getPasswordHelp(password.value, password.error)}
      />
    </DialogFrame>
  )
}

function validate({ name, email, company, password }: typeof emptyDraft): FieldErrors {
  const passwordError = checkPassword(password)
  return {
    ...(!name.trim() && { name: t('Enter a name.') }),
    ...(!email.trim() && { email: t('Enter an email address.') }),
    ...(!company && { company: t('Choose a company.') }),
    ...(passwordError && { password: passwordError }),
  }
}
