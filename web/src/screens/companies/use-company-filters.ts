import type { CompanyFilter } from '../../features/company/company-queries.ts'
import { useFilters } from '../shared/list/use-filters.ts'

export interface CompanyFilters {
  search: string | undefined
  isArchived: boolean
  sort: NonNullable<CompanyFilter['sort']>
  change: (changed: { search?: string; state?: string; sort?: string }) => void
  clear: () => void
}

export function useCompanyFilters(): CompanyFilters {
  const { read, ...rest } = useFilters()
  return {
    search: read('search'),
    isArchived: read('state') === 'archived',
    sort: orders.find((order) => order === read('sort')) ?? 'name',
    ...rest,
  }
}

const orders = ['name', '-name', 'bytes', '-bytes'] as const
