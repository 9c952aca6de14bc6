import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useRef } from 'react'
import { useIsAdmin } from '../../../api/session.ts'
import { SelectField } from '../../../components/form/field.tsx'
import { toCompanyOptions } from '../../../features/company/company-options.ts'
import { companiesQuery } from '../../../features/company/company-queries.ts'
import { t } from '../../../i18n/t.ts'
import { useDialog } from './dialog.ts'

/** Returns the chosen company, or the only one if there is no choice. A company that was archived can’t be chosen. */
export function useSelectedCompany(chosen: string): string {
  const { data: companies } = useQuery(companiesQuery())
  if (!companies || companies.some(({ id }) => id === chosen)) return chosen
  return companies.length === 1 ? (companies[0]?.id ?? '') : ''
}

type CompanyFieldProps = Pick<ComponentProps<typeof SelectField>, 'name' | 'error' | 'hint'> & {
  value: string
  onChoose: (company: string) => void
}

/** The value of the option that opens the dialog to create a company. It never becomes the value of the field. */
const newCompany = 'new'

/** The keys that open the list of a select, or choose from the open list. */
const openingKeys = ['Enter', ' ', 'F4']

/** Selects one of the companies the user can see. Admins can also create one, which is then selected. */
export function CompanyField({ error, value, onChoose, ...select }: CompanyFieldProps) {
  const companies = useQuery(companiesQuery())
  const isAdmin = useIsAdmin()
  const open = useDialog()
  const isStepping = useRef(false)
  const choose = (chosen: string) => {
    if (chosen !== newCompany) onChoose(chosen)
    else if (!isStepping.current) open({ kind: 'create-company', onCreated: ({ id }) => onChoose(id) })
  }
  return (
    <SelectField
      label={t('Company')}
      required
      placeholder={companies.isPending ? t('Loading companies') : t('Choose a company')}
      options={[...toCompanyOptions(companies.data), ...(isAdmin ? [{ value: newCompany, label: t('New company…') }] : [])]}
      {...select}
      value={value}
      onChange={({ target }) => choose(target.value)}
      // In a closed select, letters and arrow keys choose at once. Passing the last option must not open a dialog.
      onKeyDown={({ key, altKey }) => {
        isStepping.current = !altKey && !openingKeys.includes(key)
      }}
      onPointerDown={() => {
        isStepping.current = false
      }}
      error={error ?? (companies.isError && !companies.data ? companies.error.message : undefined)}
    />
  )
}
