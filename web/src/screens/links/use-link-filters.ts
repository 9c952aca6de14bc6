import { LinkFilterState } from '@neptune/contract'
import type { LinkFilter } from '../../features/link/link-queries.ts'
import { useFilters } from '../shared/list/use-filters.ts'

const subjects = ['file', 'directory', 'owner'] as const
export type Subject = (typeof subjects)[number]

export interface LinkFilters {
  search: string | undefined
  company: string | undefined
  state: LinkFilterState | undefined
  /** Limits the list to links to a file, to a directory and its files, or of an owner. */
  subject: { kind: Subject; id: string } | undefined
  sort: NonNullable<LinkFilter['sort']>
  change: (changed: Partial<Record<'search' | 'company' | 'state' | 'sort' | Subject, string>>) => void
  clear: () => void
}

export function useLinkFilters(): LinkFilters {
  const { read, ...rest } = useFilters()
  const kind = subjects.find((subject) => read(subject, 64))
  return {
    search: read('search'),
    company: read('company', 64),
    state: LinkFilterState.options.find((state) => state === read('state')),
    subject: kind && { kind, id: read(kind, 64) ?? '' },
    sort: orders.find((order) => order === read('sort')) ?? '-created_at',
    ...rest,
  }
}

const orders = ['name', '-name', 'expiry', '-expiry', 'created_at', '-created_at'] as const
