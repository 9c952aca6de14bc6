import type { DirectoryFilter } from '../../features/directory/directory-queries.ts'
import { useFilters } from '../shared/list/use-filters.ts'

export interface DirectoryFilters {
  search: string | undefined
  company: string | undefined
  sort: NonNullable<DirectoryFilter['sort']>
  change: (changed: { search?: string; company?: string; sort?: string }) => void
  clear: () => void
}

export function useDirectoryFilters(): DirectoryFilters {
  const { read, ...rest } = useFilters()
  return {
    search: read('search'),
    company: read('company', 64),
    sort: read('sort') === '-created_at' ? '-created_at' : 'name',
    ...rest,
  }
}
