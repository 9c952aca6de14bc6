import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { SelectField } from '../../components/field.tsx'
import { t } from '../../words/t.ts'
import { companyOptions } from './company-options.ts'
import { companiesQuery } from './company-queries.ts'

/** The one that is chosen; or the only one there is, which need not be. */
export function useCompany(chosen: string): string {
  const { data: companies } = useQuery(companiesQuery())
  return chosen || (companies?.length === 1 ? (companies[0]?.id ?? '') : '')
}

type CompanyFieldProps = Omit<ComponentProps<typeof SelectField>, 'label' | 'required' | 'placeholder' | 'options'>

/** One of the companies the person may see. */
export function CompanyField({ error, ...select }: CompanyFieldProps) {
  const companies = useQuery(companiesQuery())
  return (
    <SelectField
      label={t('Company')}
      required
      placeholder={companies.isPending ? t('Loading companies') : t('Choose a company')}
      options={companyOptions(companies.data)}
      {...select}
      error={error ?? (companies.isError && !companies.data ? companies.error.message : undefined)}
    />
  )
}
