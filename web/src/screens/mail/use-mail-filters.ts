import { MailState } from '@neptune/contract'
import { useFilters } from '../shared/list/use-filters.ts'

export interface MailFilters {
  search: string | undefined
  state: MailState | undefined
  sort: 'created_at' | '-created_at'
  change: (changed: { search?: string; state?: string; sort?: string }) => void
  clear: () => void
}

export function useMailFilters(): MailFilters {
  const { read, ...rest } = useFilters()
  return {
    search: read('search'),
    state: MailState.options.find((state) => state === read('state')),
    sort: read('sort') === 'created_at' ? 'created_at' : '-created_at',
    ...rest,
  }
}
