import type { Role } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import type { FieldErrors } from '../../../api/form-errors.ts'
import { useSession } from '../../../api/session.ts'
import { useForm } from '../../../api/use-form.ts'
import { useToast } from '../../../components/feedback/toast.tsx'
import { SelectField } from '../../../components/form/field.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { toCompanyOptions } from '../../../features/company/company-options.ts'
import { companiesQuery } from '../../../features/company/company-queries.ts'
import { useHasPasswords } from '../../../features/provider/provider-queries.ts'
import { getRoleOptions, roleEffects } from '../../../features/user/roles.ts'
import { useCreateUser } from '../../../features/user/user-queries.ts'
import { t } from '../../../i18n/t.ts'
import { checkPassword } from '../../../lib/password-hint.ts'
import { CompanyField, useSelectedCompany } from '../../shared/dialogs/company-field.tsx'
import { type AccessDraft, AccessFields, validateAccess, withoutOwn } from '../access-fields.tsx'
import { type FirstSignIn, FirstSignInFields } from '../first-sign-in-fields.tsx'
import { PersonFields } from '../person-fields.tsx'
import { InvitationLinkDialog } from './invitation-link-dialog.tsx'

interface Draft extends AccessDraft {
  name: string
  email: string
  company: string
  role: Role
  password: string
  start: FirstSignIn
}

const emptyDraft: Draft = {
  name: '',
  email: '',
  company: '',
  role: 'NEPTUNE_USER',
  password: '',
  start: 'password',
  access: 'own',
  companies: undefined,
}

/** The signed-in user’s last choices, until the page is reloaded. Admins often add several people of one company in a row. */
const lastChoices = new Map<string, Pick<Draft, 'company' | 'start'>>()

export function CreateUserDialog({ company: preselected = '', onClose }: { company?: string; onClose: () => void }) {
  const session = useSession()
  const userId = session.kind === 'signed-in' ? session.info.id : ''
  const last = lastChoices.get(userId)
  const create = useCreateUser()
  const toast = useToast()
  const form = useForm({
    initial: { ...emptyDraft, ...last, ...(preselected && { company: preselected }) },
    action: create,
    failureTitle: t('The user was not created.'),
    fieldByCode: { 'user.email_taken': 'email', 'company.not_found': 'company', 'company.archived': 'company' },
    validate: (draft) => validate({ ...draft, company, start }),
    submit: (draft) =>
      create.run(toBody({ ...draft, company, start }), {
        onSuccess({ data: { name }, link }) {
          lastChoices.set(userId, { company, start })
          if (link) return // shown below
          toast({ message: start === 'invitation' ? t('Invited {name}.', { name }) : t('Created {name}.', { name }) })
          onClose()
        },
      }),
  })
  const start: FirstSignIn = useHasPasswords() ? form.draft.start : 'invitation'
  const company = useSelectedCompany(form.draft.company)
  const companies = useQuery(companiesQuery()).data
  const [ownCompany] = toCompanyOptions(companies?.filter(({ id }) => id === company))
  const selected = withoutOwn(form.draft.companies, company) ?? []

  const created = create.result
  if (created?.link) return <InvitationLinkDialog name={created.data.name} link={created.link} onClose={onClose} />
  return (
    <DialogFrame title={t('Create User')} confirmLabel={t('Create User')} {...form.dialog} onClose={onClose}>
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
      <FirstSignInFields
        start={start}
        password={form.field('password')}
        onChange={(start) => form.change({ start, password: '' })}
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

function validate({ name, email, company, role, password, start, access, companies }: Draft): FieldErrors {
  const passwordError = start === 'password' ? checkPassword(password) : undefined
  return {
    ...(!name.trim() && { name: t('Enter a name.') }),
    ...(!email.trim() && { email: t('Enter an email address.') }),
    ...(!company && { company: t('Choose a company.') }),
    ...(passwordError && { password: passwordError }),
    ...(role === 'NEPTUNE_USER' && validateAccess(access, withoutOwn(companies, company))),
  }
}

/** Leaves out the access if it is the default, and for admins, who don’t need it. */
function toBody({ access, companies = [], password, start, ...details }: Draft) {
  const user = { ...details, ...(start === 'invitation' ? { invite: true } : { password }) }
  if (user.role === 'NEPTUNE_ADMIN' || access === 'own') return user
  return { ...user, access, ...(access === 'selected' && { companies: companies.map(({ value }) => value) }) }
}
