import { LinkState } from '@neptune/contract'
import type { LinkFilter } from '../../features/link/link-queries.ts'
import { useFilters } from '../shared/list/use-filters.ts'

export interface LinkFilters {
  search: string | undefined
  company: string | undefined
  state: LinkState | undefined
  sort: NonNullable<LinkFilter['sort']>
  change: (changed: { search?: string; company?: string; state?: string; sort?: string }) => void
  clear: () => void
}

export function useLinkFilters(): LinkFilters {
  const { read, ...rest } = useFilters()
  return {
    search: read('search'),
    company: read('company', 64),
    state: LinkState.options.find((state) => state === read('state')),
    sort: orders.find((order) => order === read('sort')) ?? '-created_at',
    ...rest,
  }
}

const orders = ['name', '-name', 'expiry', '-expiry', 'created_at', '-created_at'] as const
