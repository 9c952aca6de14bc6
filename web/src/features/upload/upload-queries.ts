import { api, type DirectoryRow } from '@neptune/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'

/** Every directory of a company, by name. Loads all pages, because a select can’t paginate. */
export const targetsQuery = (company: string) =>
  queryOptions({
    queryKey: ['directories', 'targets', company],
    queryFn: ({ signal }) => listAll(company, signal),
    enabled: company !== '',
  })

async function listAll(company: string, signal: AbortSignal): Promise<DirectoryRow[]> {
  const all: DirectoryRow[] = []
  let cursor: string | undefined
  do {
    const { data, next } = await call(api.directory.list, { query: { company, limit: 200, sort: 'name', cursor } }, { signal })
    all.push(...data)
    cursor = next ?? undefined
  } while (cursor !== undefined)
  return all
}
