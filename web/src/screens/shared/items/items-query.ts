import { type Args, api, type DirectoryRow, type FileRow } from '@neptune/contract'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { type Caller, staffCaller } from '../../../api/caller.ts'
import { call } from '../../../api/client.ts'
import { readRows } from '../../../api/read-rows.ts'
import { isThumbnailPending } from '../../../features/file/file-queries.ts'
import { type Item, toFileItem, toFolderItem } from './item.ts'

export interface ItemFilter {
  directory: string
  search: string | undefined
  sort: NonNullable<Args<typeof api.file.list>['query']['sort']>
}

/** The maximum number of items that are loaded to select everything, or to find one item. */
export const maxLoadedItems = 2000

export interface Page {
  data: Item[]
  next: string | null
}

type Read = (cursor: string | undefined, limit: number) => Promise<{ data: (DirectoryRow | FileRow)[]; next: string | null }>

/** The first page fills a screen. Later pages are larger, so that refetching a long list takes few calls. */
const pageSizes = { first: 48, later: 192 }

/**
 * Loads what a directory contains, page by page: its folders, then its files. A search includes those at every depth. The first page
 * requests folders and files at once, because most directories have few folders.
 */
export const itemsQuery = (filter: ItemFilter, caller: Caller = staffCaller) =>
  infiniteQueryOptions({
    queryKey: ['files', 'items', filter],
    queryFn: ({ pageParam, signal }) => readPage(createReaders(filter, caller, signal), pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: Page) => next ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.pages.some(({ data }) => data.some(isPending)) ? 3000 : false),
  })

const isPending = (item: Item) => item.kind === 'file' && isThumbnailPending(item.file)

function createReaders({ directory, search, sort }: ItemFilter, caller: Caller, signal: AbortSignal) {
  const folderSort = sort.endsWith('size') ? 'name' : (sort as 'name')
  const options = { signal, as: caller }
  const readFolders = (cursor: string | undefined, limit: number) => {
    const query = { company: '', parent: directory, search, sort: folderSort, limit, cursor }
    return call(api.directory.list, { query }, options)
  }
  const readFiles = (cursor: string | undefined, limit: number) =>
    call(api.file.list, { query: { directory, search, sort, limit, cursor } }, options)
  return { readFolders, readFiles }
}

/** The cursor starts with the list that it belongs to: `folders:` or `files:`. */
async function readPage({ readFolders, readFiles }: ReturnType<typeof createReaders>, cursor?: string): Promise<Page> {
  if (cursor === undefined) {
    const [folders, files] = await Promise.all([read(readFolders, undefined), read(readFiles, undefined)])
    return joinPages(folders.data.map(toFolderItem), folders.next, files)
  }
  const position = cursor.slice(cursor.indexOf(':') + 1)
  if (cursor.startsWith('files:')) return joinPages([], null, await read(readFiles, position))
  const folders = await read(readFolders, position)
  if (folders.next !== null) return joinPages(folders.data.map(toFolderItem), folders.next)
  return joinPages(folders.data.map(toFolderItem), null, await read(readFiles, undefined))
}

const read = <P extends Awaited<ReturnType<Read>>>(
  list: (cursor: string | undefined, limit: number) => Promise<P>,
  start?: string,
) => readRows((cursor) => list(cursor, cursor === undefined ? pageSizes.first : pageSizes.later), start)

function joinPages(folders: Item[], nextFolders: string | null, files?: { data: FileRow[]; next: string | null }): Page {
  // Files come only after all folders are loaded.
  if (nextFolders !== null || !files) return { data: folders, next: `folders:${nextFolders}` }
  return { data: [...folders, ...files.data.map(toFileItem)], next: files.next === null ? null : `files:${files.next}` }
}
