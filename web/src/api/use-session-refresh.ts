import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { refreshSession } from './session.ts'

/** Keeps the session up to date: refreshes when the window gets focus and on every navigation. */
export function useSessionRefresh(): void {
  const { refetch } = useQuery({
    queryKey: ['identity'],
    queryFn: ({ signal }) => refreshSession(signal).then(() => null), // the session store keeps the result
    staleTime: 30_000,
  })
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs when the path changes.
  useEffect(() => {
    void refetch({ cancelRefetch: false })
  }, [pathname, refetch])
}
