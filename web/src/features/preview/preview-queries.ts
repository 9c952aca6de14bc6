import { api } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useCaller } from '../../api/caller.ts'
import { call, toApiUrl } from '../../api/client.ts'

/** Query options: never refetches loaded data as stale, because a new address would restart a video. */
const neverStale = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 }

/** How often to poll for a preview that is being made. */
const pendingIntervalMs = 1500

/** Returns how a file can be previewed, and the address of its content. Polls while the preview is being made. */
export function useFilePreview(id: string, version?: string) {
  const caller = useCaller()
  return useQuery({
    queryKey: ['preview', id, version],
    queryFn: async ({ signal }) =>
      (await call(api.file.preview, { params: { id }, body: { version } }, { as: caller, signal })).data,
    refetchInterval: ({ state }) => (state.data?.pending ? pendingIntervalMs : false),
    ...neverStale,
  })
}

/** Longer texts are cut off: a browser can’t show them well. */
export const maxTextBytes = 2 ** 20

/** Loads a text, or its first `maxTextBytes` bytes. */
export const usePreviewText = (url: string, size: number) =>
  useQuery({
    queryKey: ['preview text', url],
    queryFn: async ({ signal }) => {
      const headers = size > maxTextBytes ? { range: `bytes=0-${maxTextBytes - 1}` } : undefined
      const response = await fetch(toApiUrl(url), { signal, credentials: 'omit', ...(headers && { headers }) })
      if (!response.ok) throw new Error(`Loading the text failed with status ${response.status}.`)
      return decodeText(await response.arrayBuffer())
    },
    ...neverStale,
  })

/**
 * Decodes UTF-8, even if the last character is cut off. If the text is not valid UTF-8, decodes all of it as Windows-1252, which older
 * programs write.
 */
export function decodeText(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
