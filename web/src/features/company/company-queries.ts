import { type Args, api, type Company } from '@neptune/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { readRows } from '../../api/read-rows.ts'
import { useAction } from '../../components/form/use-action.ts'

/** Loads every company the user can see, by name: all pages, because a select can’t paginate. */
export const companiesQuery = () => queryOptions({ queryKey: companiesKey, queryFn: ({ signal }) => listAllCompanies(signal) })

/** Loads every archived company the user can see, by name. */
export const archivedCompaniesQuery = () =>
  queryOptions({
    queryKey: [...companiesKey, 'archived'],
    queryFn: ({ signal }) => listAllCompanies(signal, { archived: 'true' }),
  })

/** Searches the companies by name, page by page. The previous results stay visible until those of a new search arrive. */
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
    queryFn: ({ signal }) => listAllCompanies(signal, { user }),
    staleTime: Number.POSITIVE_INFINITY, // a refetch would change what the draft is compared with
    gcTime: 0,
  })

export type CompanyFilter = Pick<Args<typeof api.company.overview>['query'], 'search' | 'archived' | 'sort'>

/** Loads companies with their counts and storage, page by page. The previous rows stay visible until those of a new filter arrive. */
export const companyRowsQuery = (filter: CompanyFilter) =>
  infiniteQueryOptions({
    queryKey: [...companiesKey, 'rows', filter],
    queryFn: ({ pageParam, signal }) =>
      readRows((cursor) => call(api.company.overview, { query: { ...filter, limit: 50, cursor } }, { signal }), pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  })

/** Loads a company, archived or not. */
export const companyQuery = (id: string) =>
  queryOptions({
    queryKey: [...companiesKey, 'one', id],
    queryFn: ({ signal }) => call(api.company.read, { params: { id } }, { signal }).then(({ data }) => data),
  })

/** Loads a company that selects don’t offer, because it is archived; undefined for all others. */
export function useUnlistedCompany(id = '') {
  const { data: companies } = useQuery(companiesQuery())
  const isListed = id === '' || !companies || companies.some((company) => company.id === id)
  const { data } = useQuery({ ...companyQuery(id), enabled: !isListed })
  return isListed ? undefined : data
}

/**
 * Creates a company, and adds it to the cached list, so that selects offer it before the companies are loaded again. Also refetches the
 * first steps, because this is one of them.
 */
export function useCreateCompany() {
  const client = useQueryClient()
  return useAction((body: Args<typeof api.company.create>['body']) => call(api.company.create, { body }), {
    onSuccess: ({ data }) => client.setQueryData(companiesQuery().queryKey, (companies) => companies && [...companies, data]),
    refresh: () => Promise.all([companiesKey, ['stats']].map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
}

/** Changes the name, note or quota of a company, then refetches everything, because many lists show the company’s name. */
export const useChangeCompany = () => useCompanyAction(changeCompany)

export const changeCompany = ({ id, ...body }: Args<typeof api.company.change>['body'] & { id: string }) =>
  call(api.company.change, { params: { id }, body })

/** Archives a company. Its links don’t work until it is restored. */
export const useArchiveCompany = () => useCompanyAction((id: string) => call(api.company.archive, { params: { id } }))

export const useRestoreCompany = () => useCompanyAction((id: string) => call(api.company.restore, { params: { id } }))

function useCompanyAction<Input, Result>(act: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useAction(act, { refresh: () => client.invalidateQueries() })
}

const companiesKey = ['companies']

async function listAllCompanies(
  signal: AbortSignal,
  filter: Pick<Args<typeof api.company.list>['query'], 'user' | 'archived'> = {},
): Promise<Company[]> {
  const all: Company[] = []
  let cursor: string | undefined
  do {
    const { data, next } = await call(api.company.list, { query: { ...filter, limit: 200, sort: 'name', cursor } }, { signal })
    all.push(...data)
    cursor = next ?? undefined
  } while (cursor !== undefined)
  return all
}
