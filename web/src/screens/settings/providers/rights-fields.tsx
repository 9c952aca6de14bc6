import { useQuery } from '@tanstack/react-query'
import { SelectField } from '../../../components/form/field.tsx'
import { CompanyCheckList } from '../../../features/company/company-check-list.tsx'
import { toCompanyOptions } from '../../../features/company/company-options.ts'
import { companiesQuery } from '../../../features/company/company-queries.ts'
import type { RightsDraft } from '../../../features/provider/provider-draft.ts'
import { getRoleOptions } from '../../../features/user/roles.ts'
import { t } from '../../../i18n/t.ts'
import { CompanyField } from '../../shared/dialogs/company-field.tsx'
import { useDialog } from '../../shared/dialogs/dialog.ts'

interface RightsFieldsProps {
  /** The prefix of the field names. */
  name: string
  rights: RightsDraft
  errors: Record<string, string>
  onChange: (rights: RightsDraft) => void
}

/** The company, role and access of users who are created at their first sign-in. */
export function RightsFields({ name, rights, errors, onChange }: RightsFieldsProps) {
  const { company, role, access } = rights
  return (
    <>
      <CompanyField
        name={`${name}.company`}
        value={company}
        error={errors[`${name}.company`]}
        onChoose={(company) => onChange({ ...rights, company })}
      />
      <SelectField
        label={t('Role')}
        required
        name={`${name}.role`}
        options={getRoleOptions()}
        value={role}
        onChange={({ target }) => onChange({ ...rights, role: target.value as RightsDraft['role'] })}
      />
      {role === 'NEPTUNE_USER' && (
        <SelectField
          label={t('Access')}
          name={`${name}.access`}
          options={[
            { value: 'own', label: t('Only their own company') },
            { value: 'selected', label: t('Selected companies') },
            { value: 'all', label: t('All companies') },
          ]}
          value={access}
          onChange={({ target }) => onChange({ ...rights, access: target.value as RightsDraft['access'] })}
        />
      )}
      {role === 'NEPTUNE_USER' && access === 'selected' && (
        <SelectedCompanies rights={rights} error={errors[`${name}.companies`]} onChange={onChange} />
      )}
    </>
  )
}

function SelectedCompanies({
  rights,
  error,
  onChange,
}: Pick<RightsFieldsProps, 'rights' | 'onChange'> & { error: string | undefined }) {
  const options = toCompanyOptions(useQuery(companiesQuery()).data)
  const open = useDialog()
  const selected = rights.companies.filter((id) => id !== rights.company)
  return (
    <CompanyCheckList
      own={options.find(({ value }) => value === rights.company)}
      selected={selected.map((id) => options.find(({ value }) => value === id) ?? { value: id, label: t('Unknown') })}
      onChange={(companies) => onChange({ ...rights, companies: companies.map(({ value }) => value) })}
      onCreate={(onCreated) => open({ kind: 'create-company', onCreated })}
      error={error}
    />
  )
}
