import { api, type FileRow } from '@neptune/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { useStorageAction } from '../../api/use-storage-action.ts'

/** Loads all versions of a file, the current one first. */
export const versionsQuery = (file: string) =>
  queryOptions({
    queryKey: ['files', 'versions', file],
    queryFn: ({ signal }) => call(api.version.list, { params: { id: file } }, { signal }).then(({ data }) => data),
  })

/** Loads a file as it is now. The row of a list may be older. */
export const fileQuery = (file: FileRow) =>
  queryOptions({
    queryKey: ['files', 'one', file.id],
    queryFn: async ({ signal }) => {
      const query = { directory: file.directory_id, search: file.file_name, limit: 200 }
      const { data } = await call(api.file.list, { query }, { signal })
      return data.find(({ id }) => id === file.id) ?? file
    },
    placeholderData: file,
  })

interface VersionId {
  file: string
  version: string
}

export const useRestoreVersion = () =>
  useStorageAction(({ file, version }: VersionId) => call(api.version.restore, { params: { id: file, version } }), {
    isRepeatable: true,
    getSubject: ({ version }) => version,
  })

export const useRemoveVersion = () =>
  useStorageAction(({ file, version }: VersionId) => call(api.version.remove, { params: { id: file, version } }))
