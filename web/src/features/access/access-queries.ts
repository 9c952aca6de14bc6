import { api } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useCaller } from '../../api/caller.ts'
import { call } from '../../api/client.ts'

/** How soon somebody who touches nothing learns that a link was closed. Also in the background, or a long transfer would find itself idle. */
const lookEvery = 30_000

/** Timers hold no more. */
const longest = 2 ** 31 - 1

/** What the link shares. It is asked again and again, so that a link that is closed, or has run out, is left at once. */
export function useAccess() {
  const caller = useCaller()
  const query = useQuery({
    queryKey: ['access'],
    queryFn: ({ signal }) => call(api.link.access, {}, { signal, as: caller }).then(({ data }) => data),
    refetchInterval: lookEvery,
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: false, // that is when the tab comes into sight, and here it is when the window does
  })
  const { refetch } = query
  const expiry = query.data?.expiry

  useEffect(() => {
    const look = () => void refetch()
    window.addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      window.removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [refetch])

  useEffect(() => {
    if (expiry === undefined) return
    const left = Date.parse(expiry) - Date.now()
    // A little late, because this clock and the server's differ. Once it is past, the interval alone looks.
    const timer = left > 0 && left < longest ? setTimeout(() => void refetch(), left + 250) : undefined
    return () => clearTimeout(timer)
  }, [expiry, refetch])

  return query
}
