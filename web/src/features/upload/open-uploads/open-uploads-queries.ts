import { api } from '@neptune/contract'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { useStorageAction } from '../../../api/use-storage-action.ts'

/** Loads the unfinished uploads to a directory, of all senders. */
export const openUploadsQuery = (directory: string) =>
  infiniteQueryOptions({
    queryKey: ['uploads', directory],
    queryFn: ({ pageParam, signal }) => call(api.upload.list, { query: { directory, limit: 50, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    // A refetch loads every page again, so a long list is not polled.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) <= 4 ? 15_000 : false),
  })

export const useCancelUpload = () =>
  useStorageAction((id: string) => call(api.upload.remove, { params: { id } }, { headers: { 'tus-resumable': '1.0.0' } }))
