import { type Args, api, type DirectoryRow } from '@neptune/contract'
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { staffCaller, useCaller } from '../../api/caller.ts'
import { call } from '../../api/client.ts'
import { readRows } from '../../api/read-rows.ts'
import { useStorageAction } from '../../api/use-storage-action.ts'
import { t } from '../../i18n/t.ts'

export type DirectoryFilter = Omit<Args<typeof api.directory.list>['query'], 'limit' | 'cursor'>

/** Loads directories, page by page. The specification requires `company` in every call; empty means all. */
export const directoriesQuery = ({ company = '', ...filter }: DirectoryFilter) =>
  infiniteQueryOptions({
    queryKey: ['directories', { company, ...filter }],
    queryFn: ({ pageParam, signal }) =>
      readRows((cursor) => {
        const query = { company, ...filter, limit: cursor ? 192 : 48, cursor }
        return call(api.directory.list, { query }, { signal })
      }, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  })

/** Loads every directory of a company, by name: all pages, because a select can’t paginate. */
export const companyDirectoriesQuery = (company: string) =>
  queryOptions({
    queryKey: ['directories', 'of-company', company],
    queryFn: ({ signal }) => listAllDirectories(company, signal),
    enabled: company !== '',
  })

async function listAllDirectories(company: string, signal: AbortSignal): Promise<DirectoryRow[]> {
  const all: DirectoryRow[] = []
  let cursor: string | undefined
  do {
    const { data, next } = await call(api.directory.list, { query: { company, limit: 200, sort: 'name', cursor } }, { signal })
    all.push(...data)
    cursor = next ?? undefined
  } while (cursor !== undefined)
  return all
}

/** How many folders of one directory a picker shows. */
const maxPickerRows = 1000

/** Loads the folders directly in a directory, by name, for picking one. */
export const subfoldersQuery = (parent: string) =>
  queryOptions({
    queryKey: ['directories', 'in', parent],
    queryFn: async ({ signal }) => {
      const query = { company: '', parent, sort: 'name', limit: 200 } as const
      const first = await readRows(
        (cursor) => call(api.directory.list, { query: { ...query, cursor } }, { signal }),
        undefined,
        maxPickerRows,
      )
      return first.data
    },
  })

/** Finds the directories and folders of a company by name. */
export const folderSearchQuery = (company: string, search: string) =>
  queryOptions({
    queryKey: ['directories', 'find', company, search],
    queryFn: async ({ signal }) => {
      const query = { company, search, folders: 'true', sort: 'name', limit: 50 } as const
      return (await readRows((cursor) => call(api.directory.list, { query: { ...query, cursor } }, { signal }), undefined, 50))
        .data
    },
    enabled: search !== '',
    placeholderData: keepPreviousData,
  })

/** Loads a directory. Until the response arrives, returns its row from a loaded list. */
export function useDirectory(id: string, enabled = true) {
  const client = useQueryClient()
  const caller = useCaller()
  return useQuery({
    queryKey: ['directories', id],
    enabled,
    queryFn: ({ signal }) => call(api.directory.read, { params: { id } }, { signal, as: caller }).then(({ data }) => data),
    placeholderData: () => findLoadedRow(client, id),
  })
}

/** Finds a directory or folder in the lists that are already loaded. */
function findLoadedRow(client: QueryClient, id: string): DirectoryRow | undefined {
  const directories = readLoadedRows<DirectoryRow>(client, ['directories'])
  const items = readLoadedRows<{ folder?: DirectoryRow }>(client, ['files', 'items'])
  const rows = [...directories, ...items.flatMap(({ folder }) => folder ?? [])]
  return rows.find((row) => row.id === id && row.deleted_at === null)
}

const readLoadedRows = <Row>(client: QueryClient, queryKey: string[]): Row[] =>
  client
    .getQueriesData<InfiniteData<{ data: Row[] }>>({ queryKey })
    .flatMap(([, list]) => list?.pages?.flatMap(({ data }) => data) ?? [])

/** Creates a folder in a directory. For recipients, returns an existing folder with this name. */
export function useCreateFolder() {
  const caller = useCaller()
  return useStorageAction(async ({ parent, name }: { parent: string; name: string }) => {
    if (caller === staffCaller) {
      const { data } = await call(api.directory.create, { body: { directory: name, parent } })
      return { id: data.id, name: data.directory }
    }
    const body = { paths: [[name]] }
    const { data } = await call(api.directory.createFolders, { params: { id: parent }, body }, { as: caller })
    return { id: data[0]?.id ?? '', name: data[0]?.path.at(-1) ?? name }
  })
}

export const useCreateDirectory = () =>
  useStorageAction((body: Args<typeof api.directory.create>['body']) => call(api.directory.create, { body }))

export const useRenameDirectory = () =>
  useStorageAction(({ id, directory }: Pick<DirectoryRow, 'id' | 'directory'>) =>
    call(api.directory.rename, { params: { id }, body: { directory } }),
  )

export const removeDirectory = ({ id }: DirectoryRow) => call(api.directory.remove, { params: { id } })

/** Restores directories one by one, and stops at the first failure. */
export async function restoreDirectories(directories: readonly DirectoryRow[]): Promise<DirectoryRow[]> {
  const restored: DirectoryRow[] = []
  for (const directory of directories) restored.push(await restoreDirectory(directory))
  return restored
}

async function restoreDirectory({ id, directory }: DirectoryRow): Promise<DirectoryRow> {
  try {
    return (await call(api.directory.restore, { params: { id } })).data
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'directory.name_taken') throw error
    throw new Error(
      t('“{name}” wasn’t restored because another directory now has its name. Rename that directory first.', { name: directory }),
    )
  }
}
