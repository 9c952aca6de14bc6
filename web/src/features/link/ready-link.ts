import type { LinkRow } from '@neptune/contract'
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { paths } from '../../paths.ts'

/** A link that was just created or reset, with its code, ready to be shared. */
export interface ReadyLink {
  link: LinkRow
  accessCode: string
  isReset: boolean
  /** The message of the recipient who asked for the new code, if any. */
  recipientMessage?: string | undefined
}

const queryKey = ['ready-link']

/** Returns the link to show. It is kept only in the query cache: a code must not end up in a URL, the history or browser storage. */
export function useReadyLink(): ReadyLink | null {
  const { data } = useQuery<ReadyLink | null>({ queryKey, queryFn: skipToken, gcTime: Number.POSITIVE_INFINITY })
  return data ?? null
}

/**
 * Shows a link until it is dismissed (null) or replaced by another one. Opens the links page for it, unless the link was created in the
 * guide, which shows it as well.
 */
export function useShowReadyLink() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  return (ready: ReadyLink | null) => {
    client.setQueryData(queryKey, ready)
    if (ready && pathname !== paths.links && pathname !== paths.welcome) void navigate(paths.links)
  }
}

/** Updates the link that is shown, if it is this one: its expiry may have changed. */
export function useUpdateReadyLink() {
  const client = useQueryClient()
  return useCallback(
    (link: LinkRow) => {
      client.setQueryData<ReadyLink | null>(queryKey, (ready) => (ready?.link.key === link.key ? { ...ready, link } : ready))
    },
    [client],
  )
}

/** Hides the link that is shown if it is among the deleted ones. */
export function useClearReadyLink() {
  const client = useQueryClient()
  return useCallback(
    (links: readonly LinkRow[]) => {
      const ready = client.getQueryData<ReadyLink | null>(queryKey)
      if (links.some(({ key }) => key === ready?.link.key)) client.setQueryData(queryKey, null)
    },
    [client],
  )
}
