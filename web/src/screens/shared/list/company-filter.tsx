import { useQuery } from '@tanstack/react-query'
import { SelectField } from '../../../components/form/field.tsx'
import { toCompanyOptions } from '../../../features/company/company-options.ts'
import { companiesQuery } from '../../../features/company/company-queries.ts'
import { t } from '../../../i18n/t.ts'

/** Filters a list by company. For admins only, because users see a single company. */
export function CompanyFilter({ company = '', onChange }: { company: string | undefined; onChange: (company: string) => void }) {
  const companies = useQuery(companiesQuery())
  return (
    <SelectField
      label={t('Company')}
      hideLabel
      placeholder={t('All companies')}
      options={toCompanyOptions(companies.data)}
      value={company}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
