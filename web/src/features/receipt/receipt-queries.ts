import { api, PublicKeys } from '@neptune/contract'
import { queryOptions } from '@tanstack/react-query'
import { ApiError, createNetworkError, createReplyError } from '../../api/api-error.ts'
import type { Caller } from '../../api/caller.ts'
import { call, toApiUrl } from '../../api/client.ts'
import { useAction } from '../../components/form/use-action.ts'
import { language } from '../../i18n/language.ts'

/** Loads a receipt. Fetched once, because it never changes. */
export const receiptQuery = (id: string) =>
  queryOptions({
    queryKey: ['receipt', id],
    queryFn: ({ signal }) => call(api.receipt.read, { params: { id } }, { signal }).then(({ data }) => data),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Loads the receipts of a link, newest first. */
export const linkReceiptsQuery = (key: string) =>
  queryOptions({
    queryKey: ['links', 'receipts', key],
    queryFn: ({ signal }) => call(api.receipt.list, { params: { key } }, { signal }).then(({ data }) => data),
  })

/** The largest number of files that one call can list. */
const maxFiles = 10_000

/**
 * Issues a receipt for these files. Issues one for all files of this visit instead if there are too many to list, or if some belong
 * to an earlier visit.
 */
export const useIssueReceipt = (caller: Caller) =>
  useAction(async (files: readonly string[]) => {
    const issue = async (body: { files?: string[] }) => (await call(api.receipt.issue, { body }, { as: caller })).data
    if (files.length === 0 || files.length > maxFiles) return issue({})
    return issue({ files: [...files] }).catch((error: unknown) =>
      error instanceof ApiError && error.code === 'file.not_found' ? issue({}) : Promise.reject(error),
    )
  })

export const useSendReceipt = (caller: Caller) =>
  useAction(
    ({ id, email }: { id: string; email: string }) =>
      call(api.receipt.send, { params: { id }, body: { email, language } }, { as: caller }),
    { isRepeatable: true },
  )

/** Loads the public keys of this portal. */
export const publicKeysQuery = () =>
  queryOptions({
    queryKey: ['keys'],
    queryFn: async ({ signal }) => {
      const response = await fetch(toApiUrl('/.well-known/neptune-key.json'), { signal }).catch(() =>
        Promise.reject(createNetworkError()),
      )
      const keys = PublicKeys.safeParse(await response.json().catch(() => undefined))
      if (!response.ok || !keys.success) throw createReplyError(response.status)
      return keys.data
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
