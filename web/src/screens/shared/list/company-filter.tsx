import { useQuery } from '@tanstack/react-query'
import { SelectField } from '../../../components/form/field.tsx'
import { toCompanyOptions } from '../../../features/company/company-options.ts'
import { companiesQuery, useUnlistedCompany } from '../../../features/company/company-queries.ts'
import { t } from '../../../i18n/t.ts'

interface Props {
  company: string | undefined
  hideLabel?: boolean
  onChange: (company: string) => void
}

/** Filters a list by company, for people who see several. An archived company is listed only while the list is filtered by it. */
export function CompanyFilter({ company = '', hideLabel = true, onChange }: Props) {
  const { data: companies } = useQuery(companiesQuery())
  const archived = useUnlistedCompany(company)
  const options = toCompanyOptions(companies)
  return (
    <SelectField
      label={t('Company')}
      hideLabel={hideLabel}
      placeholder={t('All companies')}
      options={archived ? [...options, { value: company, label: archived.name }] : options}
      value={company}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
