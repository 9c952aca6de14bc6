import { api } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useCaller } from '../../api/caller.ts'
import { call } from '../../api/client.ts'
import { pollUnlessLive } from '../../api/live-state.ts'

/**
 * How often an idle page without a live connection checks whether its link was closed. Runs in the background as well, so that the
 * recipient's session doesn't expire during a long upload in a hidden tab.
 */
const refetchIntervalMs = 30_000

/** The longest delay that `setTimeout` supports. */
const maxTimeoutMs = 2 ** 31 - 1

/**
 * Returns what the link shares. Refetches regularly, on focus and at the expiry, so that the page of a closed or expired link closes
 * promptly.
 */
export function useAccess() {
  const caller = useCaller()
  const query = useQuery({
    queryKey: ['access'],
    queryFn: ({ signal }) => call(api.access.read, {}, { signal, as: caller }).then(({ data }) => data),
    refetchInterval: pollUnlessLive(refetchIntervalMs),
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: false, // covers only the tab's visibility; the listeners below cover the window's focus, too
  })
  const { refetch } = query
  const expiry = query.data?.expiry

  useEffect(() => {
    const refetchNow = () => void refetch()
    window.addEventListener('focus', refetchNow)
    document.addEventListener('visibilitychange', refetchNow)
    return () => {
      window.removeEventListener('focus', refetchNow)
      document.removeEventListener('visibilitychange', refetchNow)
    }
  }, [refetch])

  useEffect(() => {
    if (expiry === undefined) return
    const msLeft = Date.parse(expiry) - Date.now()
    // 250 ms late to allow for clock skew. After the expiry, only the interval refetches.
    const timer = msLeft > 0 && msLeft < maxTimeoutMs ? setTimeout(() => void refetch(), msLeft + 250) : undefined
    return () => clearTimeout(timer)
  }, [expiry, refetch])

  return query
}
