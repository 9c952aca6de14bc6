import type { LinkRow } from '@neptune/contract'
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'

/** A link that was just made, or just got a new code, with that code: now is the time to pass both on. */
export interface ReadyLink {
  link: LinkRow
  accessCode: string
  isReset: boolean
}

const queryKey = ['ready-link']

/** Kept beside what was loaded, and forgotten with it: a code has no business in an address, a history or a storage. */
export function useReadyLink(): ReadyLink | null {
  const { data } = useQuery<ReadyLink | null>({ queryKey, queryFn: skipToken, gcTime: Number.POSITIVE_INFINITY })
  return data ?? null
}

/** Shows it on the links' page, until it is dismissed (null) or another one is ready. */
export function useShowReady() {
  const client = useQueryClient()
  return useCallback((ready: ReadyLink | null) => client.setQueryData(queryKey, ready), [client])
}

/** It says until when it works; that may have changed. */
export function useRenewReady() {
  const client = useQueryClient()
  return useCallback(
    (link: LinkRow) => {
      client.setQueryData<ReadyLink | null>(queryKey, (ready) => (ready?.link.key === link.key ? { ...ready, link } : ready))
    },
    [client],
  )
}

/** What is deleted is not ready for anything. */
export function useForgetReady() {
  const client = useQueryClient()
  return useCallback(
    (links: readonly LinkRow[]) => {
      const ready = client.getQueryData<ReadyLink | null>(queryKey)
      if (links.some(({ key }) => key === ready?.link.key)) client.setQueryData(queryKey, null)
    },
    [client],
  )
}
