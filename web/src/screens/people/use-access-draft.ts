import type { Role, UserRow } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import type { CheckListOption } from '../../components/form/check-list.tsx'
import { toCompanyOptions } from '../../features/company/company-options.ts'
import { selectedCompaniesQuery } from '../../features/company/company-queries.ts'
import { defaultCompany } from '../../lib/default-company.ts'
import { type AccessDraft, withoutOwn } from './access-fields.tsx'

/** Compares a draft with the saved access of a user. Returns the fields to show, and what changes. */
export function useAccessDraft(user: UserRow, { role, access, companies }: AccessDraft & { role: Role }) {
  const hasSelected = user.access === 'selected'
  const isUser = role !== 'NEPTUNE_ADMIN'
  const query = useQuery({ ...selectedCompaniesQuery(user.id), enabled: hasSelected && isUser })
  const saved = hasSelected ? withoutOwn(query.data && toCompanyOptions(query.data), user.company) : []
  const selected = companies ?? saved
  const isChanged =
    isUser && (access !== getSavedAccess(user) || (access === 'selected' && hasSameValues(selected, saved) === false))
  const next = { access, ...(access === 'selected' && { companies: selected?.map(({ value }) => value) }) }
  const hadAll = user.role === 'NEPTUNE_ADMIN' || user.access === 'all'
  const isReduced = isUser && access !== 'all' && (hadAll || !includesAll(access === 'selected' ? selected : [], saved))
  return {
    selected,
    /** The change to send, if any. */
    change: isChanged ? next : undefined,
    /** What they may see afterwards, if that is less than now. */
    reduced: isReduced && selected ? next : undefined,
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
const hasSameValues = (a: Options, b: Options) => (a && b ? a.length === b.length && includesAll(a, b) : undefined)

type Options = readonly CheckListOption[] | undefined

/** Returns whether the options include all others. */
function includesAll(options: Options = [], others: Options = []): boolean {
  const values = new Set(options.map(({ value }) => value))
  return others.every(({ value }) => values.has(value))
}
