import type { UserFilter } from '../../features/user/user-queries.ts'
import { useFilters } from '../shared/list/use-filters.ts'

export interface UserFilters {
  search: string | undefined
  company: string | undefined
  sort: NonNullable<UserFilter['sort']>
  change: (changed: { search?: string; company?: string; sort?: string }) => void
  clear: () => void
}

export function useUserFilters(): UserFilters {
  const { read, ...rest } = useFilters()
  return {
    search: read('search'),
    company: read('company', 64),
    sort: orders.find((order) => order === read('sort')) ?? 'name',
    ...rest,
  }
}

const orders = ['name', 'email', '-created_at'] as const
