import type { Role } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import type { FieldErrors } from '../../api/form-errors.ts'
import { useForm } from '../../api/use-form.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { PasswordField, SelectField } from '../../components/form/field.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { toCompanyOptions } from '../../features/company/company-options.ts'
import { companiesQuery } from '../../features/company/company-queries.ts'
import { getRoleOptions, roleEffects } from '../../features/user/roles.ts'
import { useCreateUser } from '../../features/user/user-queries.ts'
import { t } from '../../i18n/t.ts'
import { checkPassword, getPasswordHelp } from '../../lib/password-hint.ts'
import { CompanyField, useSelectedCompany } from '../shared/dialogs/company-field.tsx'
import { type AccessDraft, AccessFields, validateAccess, withoutOwn } from './access-fields.tsx'
import { PersonFields } from './person-fields.tsx'

interface Draft extends AccessDraft {
  name: string
  email: string
  company: string
  role: Role
  password: string
}

const emptyDraft: Draft = {
  name: '',
  email: '',
  company: '',
  role: 'NEPTUNE_USER',
  password: '',
  access: 'own',
  companies: undefined,
}

export function CreateUserDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateUser()
  const toast = useToast()
  const form = useForm({
    initial: emptyDraft,
    action: create,
    failureTitle: t('The user was not created.'),
    fieldByCode: { 'user.email_taken': 'email', 'company.not_found': 'company', 'company.archived': 'company' },
    validate: (draft) => validate({ ...draft, company }),
    submit: (draft) =>
      create.run(toBody({ ...draft, company }), {
        onSuccess({ data }) {
          toast({ message: t('Created {name}.', { name: data.name }) })
          onClose()
        },
      }),
  })
  const company = useSelectedCompany(form.draft.company)
  const companies = useQuery(companiesQuery()).data
  const [ownCompany] = toCompanyOptions(companies?.filter(({ id }) => id === company))
  const password = form.field('password')
  const selected = withoutOwn(form.draft.companies, company) ?? []

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
      <CompanyField
        name="company"
        value={company}
        error={form.errors['company']}
        onChoose={(company) => form.change({ company })}
      />
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
      <AccessFields
        role={form.draft.role}
        company={ownCompany}
        draft={{ access: form.draft.access, companies: form.draft.companies }}
        selected={selected}
        selectedCount={selected.length}
        error={form.errors['companies']}
        onChange={form.change}
      />
    </DialogFrame>
  )
}

function validate({ name, email, company, role, password, access, companies }: Draft): FieldErrors {
  const passwordError = checkPassword(password)
  return {
    ...(!name.trim() && { name: t('Enter a name.') }),
    ...(!email.trim() && { email: t('Enter an email address.') }),
    ...(!company && { company: t('Choose a company.') }),
    ...(passwordError && { password: passwordError }),
    ...(role === 'NEPTUNE_USER' && validateAccess(access, withoutOwn(companies, company))),
  }
}

/** Leaves out the access if it is the default, or if an admin does not need it. */
function toBody({ access, companies = [], ...user }: Draft) {
  if (user.role === 'NEPTUNE_ADMIN' || access === 'own') return user
  return { ...user, access, ...(access === 'selected' && { companies: companies.map(({ value }) => value) }) }
}
