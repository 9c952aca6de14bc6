import { useSearchParams } from 'react-router'
import type { UserFilter } from '../features/user/user-queries.ts'

export interface UserFilters {
  search: string | undefined
  company: string | undefined
  sort: NonNullable<UserFilter['sort']>
  change: (changed: { search?: string; company?: string; sort?: string }) => void
  clear: () => void
}

/** The filters live in the address, so a reload, a bookmark and Back find the same list. */
export function useUserFilters(): UserFilters {
  const [params, setParams] = useSearchParams()
  return {
    search: params.get('search')?.trim().slice(0, 100) || undefined,
    company: params.get('company')?.slice(0, 64) || undefined,
    sort: orders.find((order) => order === params.get('sort')) ?? 'name',
    change: (changed) => {
      const next = new URLSearchParams(params)
      for (const [name, value] of Object.entries(changed)) value ? next.set(name, value) : next.delete(name)
      // What is typed is one step of the history, not one for each pause.
      setParams(next, { replace: 'search' in changed })
    },
    clear: () => setParams({}),
  }
}

const orders = ['name', 'email', '-created_at'] as const
