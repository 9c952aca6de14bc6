import { useQuery } from '@tanstack/react-query'
import { SelectField } from '../../../components/form/field.tsx'
import { toCompanyOptions } from '../../../features/company/company-options.ts'
import { archivedCompaniesQuery, companiesQuery } from '../../../features/company/company-queries.ts'
import { t } from '../../../i18n/t.ts'

interface Props {
  company: string | undefined
  hideLabel?: boolean
  onChange: (company: string) => void
}

/** Filters a list by company, for people who see several. Archived companies are in a separate group: lists still show their items. */
export function CompanyFilter({ company = '', hideLabel = true, onChange }: Props) {
  const { data: companies } = useQuery(companiesQuery())
  const { data: archived = [] } = useQuery(archivedCompaniesQuery())
  const options = toCompanyOptions(companies)
  return (
    <SelectField
      label={t('Company')}
      hideLabel={hideLabel}
      placeholder={t('All companies')}
      options={
        archived.length > 0 ? [...options, { label: t('Archived (company)'), options: toCompanyOptions(archived) }] : options
      }
      value={company}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
