import type { CompanyAccess, Role } from '@neptune/contract'
import type { ReactNode } from 'react'
import { classNames } from '../../components/class-names.ts'
import { ErrorState } from '../../components/feedback/error-state.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import type { CheckListOption } from '../../components/form/check-list.tsx'
import { ChoiceField } from '../../components/form/choice-field.tsx'
import { Disclosure } from '../../components/layout/disclosure.tsx'
import { CompanyCheckList } from '../../features/company/company-check-list.tsx'
import { describeAccess, describeOwn } from '../../features/user/access-texts.ts'
import { t } from '../../i18n/t.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'
import css from './access-fields.module.css'

const c = classNames(css)

export interface AccessDraft {
  access: CompanyAccess
  /** The selected companies besides the user’s own; undefined until someone changes them. */
  companies: readonly CheckListOption[] | undefined
}

interface AccessChoicesProps {
  /** The user’s own company, if it is chosen already. */
  company: CheckListOption | undefined
  draft: AccessDraft
  /** The selected companies besides the user’s own, once they are loaded. */
  selected: readonly CheckListOption[] | undefined
  /** Set if the selected companies did not load. */
  failure?: { message: string; retry: () => void } | undefined
  error: string | undefined
  onChange: (draft: AccessDraft) => void
}

/** Chooses which companies a user may see. */
export const AccessChoices = ({ company, draft, error, onChange, ...list }: AccessChoicesProps) => (
  <>
    <ChoiceField
      label={t('Access')}
      hideLabel
      name="access"
      choices={[
        { value: 'own', label: describeOwn(company?.label) },
        { value: 'selected', label: t('Selected companies') },
        { value: 'all', label: t('All companies'), hint: t('Including those created later.') },
      ]}
      value={draft.access}
      onChange={(access) => onChange({ ...draft, access })}
    />
    {draft.access === 'selected' && (
      <SelectedCompanies {...list} company={company} error={error} onChange={(companies) => onChange({ ...draft, companies })} />
    )}
  </>
)

interface AccessFieldsProps extends AccessChoicesProps {
  role: Role
  /** How many companies are selected besides the user’s own, even if they are not loaded. */
  selectedCount: number
  /** Shown below the choices. */
  children?: ReactNode
}

/** The access of a user in a form with other fields, hidden behind a button. Admins see everything, so they have nothing to choose. */
export function AccessFields({ role, selectedCount, children, ...choices }: AccessFieldsProps) {
  const { company, draft, error } = choices
  if (role === 'NEPTUNE_ADMIN') return <p className={c('note')}>{t('Admins have access to everything in every company.')}</p>
  const summary =
    draft.access === 'selected' && selectedCount === 0
      ? t('Selected companies: no other one chosen yet')
      : describeAccess(draft.access, company?.label, selectedCount)
  return (
    <Disclosure title={t('Access')} summary={summary} forceOpen={error !== undefined}>
      <AccessChoices {...choices} />
      {children}
    </Disclosure>
  )
}

type SelectedCompaniesProps = Pick<AccessChoicesProps, 'company' | 'selected' | 'failure' | 'error'> & {
  onChange: (companies: CheckListOption[]) => void
}

function SelectedCompanies({ company, selected, failure, error, onChange }: SelectedCompaniesProps) {
  const open = useDialog()
  if (failure) return <ErrorState title={t('The companies did not load.')} detail={failure.message} onRetry={failure.retry} />
  if (!selected) return <Skeleton height={120} label={t('Loading companies')} />
  return (
    <CompanyCheckList
      own={company}
      selected={selected}
      onChange={onChange}
      onCreate={(onCreated) => open({ kind: 'create-company', onCreated })}
      error={error}
    />
  )
}

/** Returns the error if someone chooses “Selected companies” without selecting one. */
export const validateAccess = (access: CompanyAccess, selected: readonly CheckListOption[] = []): Record<string, string> =>
  access === 'selected' && selected.length === 0 ? { companies: t('Choose at least one other company.') } : {}

/** Removes the user’s own company, which is always one of the selected. */
export const withoutOwn = (companies: readonly CheckListOption[] | undefined, own: string) =>
  companies?.filter(({ value }) => value !== own)
