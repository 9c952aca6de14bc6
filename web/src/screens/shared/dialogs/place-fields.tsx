import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { FieldErrors } from '../../../api/form-errors.ts'
import { SelectField } from '../../../components/form/field.tsx'
import { CompanyField, useCompany } from '../../../features/company/company-field.tsx'
import { targetsQuery } from '../../../features/directory/directory-queries.ts'
import { t } from '../../../i18n/t.ts'

/** Returns the selected company, its directories once they are loaded, and the selected directory. Selects a single directory automatically. */
export function usePlace(draft: { company: string; directory: string }) {
  const company = useCompany(draft.company)
  const { data: directories } = useQuery(targetsQuery(company))
  const selected = directories?.length === 1 ? directories[0] : directories?.find(({ id }) => id === draft.directory)
  return { company, directories, selected }
}

interface PlaceFieldsProps {
  company: string
  directory: string
  /** Choosing another company clears the directory. */
  onChange: (changes: { company?: string; directory: string }) => void
  errors: FieldErrors
  /** Shown under the directory select. */
  hint?: ReactNode
}

/** Selects a company, then one of its directories. */
export function PlaceFields({ company, directory, onChange, errors, hint }: PlaceFieldsProps) {
  const targets = useQuery(targetsQuery(company))
  return (
    <>
      <CompanyField
        name="company"
        value={company}
        onChange={({ target }) => onChange({ company: target.value, directory: '' })}
        error={errors['company']}
      />
      <SelectField
        label={t('Directory')}
        name="directory"
        required
        placeholder={getPlaceholder(company, targets)}
        options={(targets.data ?? []).map(({ id, directory }) => ({ value: id, label: directory }))}
        value={directory}
        disabled={company === ''}
        onChange={({ target }) => onChange({ directory: target.value })}
        hint={hint}
        error={errors['directory'] ?? (targets.error && !targets.data ? targets.error.message : undefined)}
      />
    </>
  )
}

function getPlaceholder(company: string, { data, isError }: { data?: readonly unknown[] | undefined; isError: boolean }) {
  if (!company) return t('Choose a company first')
  if (data?.length === 0) return t('No directories')
  return data || isError ? t('Choose a directory') : t('Loading directories')
}
