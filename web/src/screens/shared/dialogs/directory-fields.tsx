import type { DirectoryRow } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { FieldErrors } from '../../../api/form-errors.ts'
import { classNames } from '../../../components/class-names.ts'
import { SelectField } from '../../../components/form/field.tsx'
import { companyDirectoriesQuery, useDirectory } from '../../../features/directory/directory-queries.ts'
import { t } from '../../../i18n/t.ts'
import { formatPath } from '../../../lib/format-path.ts'
import { CompanyField, useSelectedCompany } from './company-field.tsx'
import { useDialog } from './dialog.ts'
import css from './dialog-parts.module.css'

const c = classNames(css)

/**
 * Returns the selected company, its directories once they are loaded, and the selected directory. If the company has only one directory, it
 * is selected automatically.
 */
export function useSelectedDirectory(draft: { company: string; directory: string }) {
  const company = useSelectedCompany(draft.company)
  const { data: directories } = useQuery(companyDirectoriesQuery(company))
  const folder = useFolder(draft.directory, directories)
  const only = draft.directory === '' && directories?.length === 1 ? directories[0] : undefined
  const selected = only ?? directories?.find(({ id }) => id === draft.directory) ?? folder.data
  const isLoading = !directories || folder.isLoading
  return { company, directories, selected, directory: selected?.id ?? (isLoading ? draft.directory : '') }
}

/** Loads the folder from which a dialog was opened. The company’s list has only top-level directories, not their folders. */
const useFolder = (id: string, directories: readonly DirectoryRow[] | undefined) =>
  useDirectory(id, id !== '' && directories !== undefined && directories.every((directory) => directory.id !== id))

interface DirectoryFieldsProps {
  company: string
  directory: string
  /** Choosing another company clears the directory. */
  onChange: (changes: { company?: string; directory: string }) => void
  errors: FieldErrors
  /** Shown under the directory select. */
  hint?: ReactNode
}

/** Selects a company, then one of its directories. */
export function DirectoryFields({ company, directory, onChange, errors, hint }: DirectoryFieldsProps) {
  const directories = useQuery(companyDirectoriesQuery(company))
  const folder = useFolder(directory, directories.data).data
  const options = (directories.data ?? []).map(({ id, directory }) => ({ value: id, label: directory }))
  // The cache may also contain a top-level directory, which is already an option.
  if (folder && options.every(({ value }) => value !== folder.id))
    options.unshift({ value: folder.id, label: formatPath([...folder.path, { id: folder.id, name: folder.directory }]) })
  return (
    <>
      <CompanyField
        name="company"
        value={company}
        onChoose={(company) => onChange({ company, directory: '' })}
        error={errors['company']}
      />
      <SelectField
        label={t('Directory')}
        name="directory"
        required
        placeholder={getPlaceholder(company, directories)}
        options={options}
        value={directory}
        disabled={company === ''}
        onChange={({ target }) => onChange({ directory: target.value })}
        hint={hint}
        error={errors['directory'] ?? (directories.error && !directories.data ? directories.error.message : undefined)}
      />
    </>
  )
}

/** Offers to create the first directory of a company. That dialog replaces the current one, so `onCreated` must reopen it. */
export function NoDirectories({ company, onCreated }: { company: string; onCreated: (created: DirectoryRow) => void }) {
  const open = useDialog()
  return (
    <>
      {t('This company has no directories yet.')}{' '}
      <button type="button" className={c('link')} onClick={() => open({ kind: 'create-directory', company, onCreated })}>
        {t('Create Directory')}
      </button>
    </>
  )
}

function getPlaceholder(company: string, { data, isError }: { data?: readonly unknown[] | undefined; isError: boolean }) {
  if (!company) return t('Choose a company first')
  if (data?.length === 0) return t('No directories')
  return data || isError ? t('Choose a directory') : t('Loading directories')
}
