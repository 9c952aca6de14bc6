import { type Args, api, type FileRow } from '@neptune/contract'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { type Caller, staffCaller } from '../../api/caller.ts'
import { call } from '../../api/client.ts'
import { readRows } from '../../api/read-rows.ts'
import { useStorageAction } from '../../api/use-storage-action.ts'

export type FileFilter = Omit<Args<typeof api.file.list>['query'], 'limit' | 'cursor'>

/**
 * Loads files, page by page. The first page fills a screen; later pages are larger, so that refetching a long list takes few calls.
 * Refetches while thumbnails are being created.
 */
export const filesQuery = (filter: FileFilter, caller: Caller = staffCaller) =>
  infiniteQueryOptions({
    queryKey: ['files', filter],
    queryFn: ({ pageParam, signal }) =>
      readRows((cursor) => {
        const query = { ...filter, limit: cursor ? 192 : 48, cursor }
        return call(api.file.list, { query }, { signal, as: caller })
      }, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.pages.some(({ data }) => data.some(isThumbnailPending)) ? 3000 : false),
  })

/** Returns whether a new image may still get its thumbnail. False after a minute, because not every image gets one. */
export const isThumbnailPending = ({ content_type, image, date_created }: FileRow) =>
  image === null && content_type.startsWith('image/') && Date.now() - Date.parse(date_created) < 60_000

export const useRenameFile = () =>
  useStorageAction(({ id, file_name }: Pick<FileRow, 'id' | 'file_name'>) =>
    call(api.file.rename, { params: { id }, body: { file_name } }),
  )

/** The limit of one call. */
const maxBatchSize = 200

export async function removeFiles(files: readonly FileRow[]): Promise<void> {
  for (const ids of toBatches(files)) await call(api.file.removeMany, { body: { ids } })
}

export async function restoreFiles(files: readonly FileRow[]): Promise<FileRow[]> {
  const restored: FileRow[] = []
  for (const ids of toBatches(files)) restored.push(...(await call(api.file.restoreMany, { body: { ids } })).data)
  return restored
}

const toBatches = (files: readonly FileRow[]) =>
  Array.from({ length: Math.ceil(files.length / maxBatchSize) }, (_, batch) =>
    files.slice(batch * maxBatchSize, (batch + 1) * maxBatchSize).map(({ id }) => id),
  )
