import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { SelectField } from '../../components/form/field.tsx'
import { t } from '../../i18n/t.ts'
import { toCompanyOptions } from './company-options.ts'
import { companiesQuery } from './company-queries.ts'

/** Returns the chosen company, or the only one if there is no choice. */
export function useSelectedCompany(chosen: string): string {
  const { data: companies } = useQuery(companiesQuery())
  return chosen || (companies?.length === 1 ? (companies[0]?.id ?? '') : '')
}

type CompanyFieldProps = Omit<ComponentProps<typeof SelectField>, 'label' | 'required' | 'placeholder' | 'options'>

/** Selects one of the companies the user can see. */
export function CompanyField({ error, ...select }: CompanyFieldProps) {
  const companies = useQuery(companiesQuery())
  return (
    <SelectField
      label={t('Company')}
      required
      placeholder={companies.isPending ? t('Loading companies') : t('Choose a company')}
      options={toCompanyOptions(companies.data)}
      {...select}
      error={error ?? (companies.isError && !companies.data ? companies.error.message : undefined)}
    />
  )
}
