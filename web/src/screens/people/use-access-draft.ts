import type { Role, UserRow } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import type { CheckListOption } from '../../components/form/check-list.tsx'
import { toCompanyOptions } from '../../features/company/company-options.ts'
import { selectedCompaniesQuery } from '../../features/company/company-queries.ts'
import { defaultCompany } from '../../lib/default-company.ts'
import { type AccessDraft, withoutOwn } from './access-fields.tsx'

/** Compares a draft with the saved access of a user. Returns the fields to show, and the change to send, if any. */
export function useAccessDraft(user: UserRow, { role, access, companies }: AccessDraft & { role: Role }) {
  const hasSelected = user.access === 'selected'
  const isUser = role !== 'NEPTUNE_ADMIN'
  const query = useQuery({ ...selectedCompaniesQuery(user.id), enabled: hasSelected && isUser })
  const saved = hasSelected ? withoutOwn(query.data && toCompanyOptions(query.data), user.company) : []
  const selected = companies ?? saved
  const isChanged =
    isUser && (access !== getSavedAccess(user) || (access === 'selected' && hasSameValues(selected, saved) === false))
  return {
    selected,
    change: isChanged ? { access, ...(access === 'selected' && { companies: selected?.map(({ value }) => value) }) } : undefined,
    fields: {
      company: { value: user.company, label: user.company_name || defaultCompany },
      selected,
      selectedCount: selected?.length ?? user.other_companies ?? 0,
      failure: query.isError && !query.data ? { message: query.error.message, retry: () => void query.refetch() } : undefined,
    },
  }
}

/** A missing value counts as the default. */
export const getSavedAccess = ({ access }: UserRow) => access || 'own'

/** Returns undefined while one of the lists is not loaded. */
function hasSameValues(a: readonly CheckListOption[] | undefined, b: readonly CheckListOption[] | undefined) {
  if (!a || !b) return undefined
  const values = new Set(b.map(({ value }) => value))
  return a.length === b.length && a.every(({ value }) => values.has(value))
}
