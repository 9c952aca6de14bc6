import { type Args, api, type Company } from '@neptune/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { readRows } from '../../api/read-rows.ts'
import { useAction } from '../../components/form/use-action.ts'

/** Loads every company the user can see, by name: all pages, because a select can’t paginate. */
export const companiesQuery = () => queryOptions({ queryKey: companiesKey, queryFn: ({ signal }) => listAllCompanies(signal) })

/** Searches the companies by name, page by page. The previous ones stay visible until those of a new search arrive. */
export const companySearchQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...companiesKey, 'search', search],
    queryFn: ({ pageParam, signal }) =>
      readRows(
        (cursor) =>
          call(api.company.list, { query: { search: search || undefined, limit: 50, sort: 'name', cursor } }, { signal }),
        pageParam,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  })

/** Loads all companies that are selected for a user, by name. Never from the cache, because they can be changed elsewhere. */
export const selectedCompaniesQuery = (user: string) =>
  queryOptions({
    queryKey: [...companiesKey, 'selected', user],
    queryFn: ({ signal }) => listAllCompanies(signal, user),
    staleTime: Number.POSITIVE_INFINITY, // a draft is based on them
    gcTime: 0,
  })

export function useCreateCompany() {
  const client = useQueryClient()
  return useAction((body: Args<typeof api.company.create>['body']) => call(api.company.create, { body }), {
    refresh: () => client.invalidateQueries({ queryKey: companiesKey }),
  })
}

/** Renames a company, then refetches everything, because many lists show the company’s name. */
export function useRenameCompany() {
  const client = useQueryClient()
  return useAction(({ id, name }: Pick<Company, 'id' | 'name'>) => call(api.company.change, { params: { id }, body: { name } }), {
    refresh: () => client.invalidateQueries(),
  })
}

const companiesKey = ['companies']

async function listAllCompanies(signal: AbortSignal, user?: string): Promise<Company[]> {
  const all: Company[] = []
  let cursor: string | undefined
  do {
    const { data, next } = await call(api.company.list, { query: { user, limit: 200, sort: 'name', cursor } }, { signal })
    all.push(...data)
    cursor = next ?? undefined
  } while (cursor !== undefined)
  return all
}
