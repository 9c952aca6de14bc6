import type { DirectoryFilter } from '../features/directory/directory-queries.ts'
import { useFilters } from './use-filters.ts'

export interface DirectoryFilters {
  search: string | undefined
  company: string | undefined
  sort: NonNullable<DirectoryFilter['sort']>
  change: (changed: { search?: string; company?: string; sort?: string }) => void
  clear: () => void
}

export function useDirectoryFilters(): DirectoryFilters {
  const { given, ...rest } = useFilters()
  return {
    search: given('search'),
    company: given('company', 64),
    sort: given('sort') === '-created_at' ? '-created_at' : 'name',
    ...rest,
  }
}
