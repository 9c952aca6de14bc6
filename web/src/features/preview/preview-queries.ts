import { api } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useCaller } from '../../api/caller.ts'
import { call, toApiUrl } from '../../api/client.ts'

/** Asked once for each look: another address would begin a film anew. */
const once = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 }

/** As what a file can be shown, and its address. */
export function usePreviewOf(id: string) {
  const caller = useCaller()
  return useQuery({
    queryKey: ['preview', id],
    queryFn: async ({ signal }) => (await call(api.file.preview, { params: { id } }, { as: caller, signal })).data,
    ...once,
  })
}

/** More than this is nothing to read in a browser. */
export const textMost = 2 ** 20

/** What a text says, or the first part of it. */
export const useText = (url: string, size: number) =>
  useQuery({
    queryKey: ['preview text', url],
    queryFn: async ({ signal }) => {
      const headers = size > textMost ? { range: `bytes=0-${textMost - 1}` } : undefined
      const reply = await fetch(toApiUrl(url), { signal, credentials: 'omit', ...(headers && { headers }) })
      if (!reply.ok) throw new Error(`The text answered ${reply.status}.`)
      return decode(await reply.arrayBuffer())
    },
    ...once,
  })

/** UTF-8; and what is not is from an older program, as tables often are. The last letter may be cut. */
export function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
