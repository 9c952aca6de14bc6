import { type Args, api, type FileRow } from '@neptune/contract'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { type Caller, staff } from '../../api/caller.ts'
import { call } from '../../api/client.ts'
import { readRows } from '../../api/read-rows.ts'
import { useStoredChange } from '../../api/stored.ts'

export type FileFilter = Omit<Args<typeof api.file.list>['query'], 'limit' | 'cursor'>

/**
 * Files, page by page: first what fills a screen, then more at once, so that a long list is asked for again in few calls.
 * A picture is drawn soon after it was uploaded; until then the list is asked for again.
 */
export const filesQuery = (filter: FileFilter, caller: Caller = staff) =>
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
    refetchInterval: ({ state }) => (state.data?.pages.some(({ data }) => data.some(isBeingDrawn)) ? 3000 : false),
  })

/** Not every picture can be drawn, so it is not waited for long. */
const isBeingDrawn = ({ content_type, image, date_created }: FileRow) =>
  image === null && content_type.startsWith('image/') && Date.now() - Date.parse(date_created) < 60_000

export const useRenameFile = () =>
  useStoredChange(({ id, file_name }: Pick<FileRow, 'id' | 'file_name'>) =>
    call(api.file.rename, { params: { id }, body: { file_name } }),
  )

/** As many as one call takes at most. */
const most = 200

export async function removeFiles(files: readonly FileRow[]): Promise<void> {
  for (const ids of batches(files)) await call(api.file.removeMany, { body: { ids } })
}

export async function restoreFiles(files: readonly FileRow[]): Promise<FileRow[]> {
  const restored: FileRow[] = []
  for (const ids of batches(files)) restored.push(...(await call(api.file.restoreMany, { body: { ids } })).data)
  return restored
}

const batches = (files: readonly FileRow[]) =>
  Array.from({ length: Math.ceil(files.length / most) }, (_, batch) =>
    files.slice(batch * most, (batch + 1) * most).map(({ id }) => id),
  )
