import { type Args, api, type Company } from '@neptune/contract'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { useAction } from '../../components/form/use-action.ts'

/** Loads every company the user can see, by name: all pages, because a select can’t paginate. */
export const companiesQuery = () => queryOptions({ queryKey: companiesKey, queryFn: ({ signal }) => listAllCompanies(signal) })

export function useCreateCompany() {
  const client = useQueryClient()
  return useAction((body: Args<typeof api.company.create>['body']) => call(api.company.create, { body }), {
    refresh: () => client.invalidateQueries({ queryKey: companiesKey }),
  })
}

/** Renames a company, then refetches everything, because many lists show the company’s name. */
export function useRenameCompany() {
  const client = useQueryClient()
  return useAction(({ id, name }: Pick<Company, 'id' | 'name'>) => call(api.company.rename, { params: { id }, body: { name } }), {
    refresh: () => client.invalidateQueries(),
  })
}

const companiesKey = ['companies']

async function listAllCompanies(signal: AbortSignal): Promise<Company[]> {
  const all: Company[] = []
  let cursor: string | undefined
  do {
    const { data, next } = await call(api.company.list, { query: { limit: 200, sort: 'name', cursor } }, { signal })
    all.push(...data)
    cursor = next ?? undefined
  } while (cursor !== undefined)
  return all
}
