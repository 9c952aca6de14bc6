import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { refreshSession } from './session.ts'

/** Keeps the session true to the server: asks when the window is looked at again, and at every navigation, however recent the last answer. */
export function useSessionRefresh(): void {
  const { refetch } = useQuery({
    queryKey: ['identity'],
    queryFn: ({ signal }) => refreshSession(signal).then(() => null), // the answer is kept in the session, and only there
    staleTime: 30_000,
  })
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is not used, its change is what counts.
  useEffect(() => {
    void refetch({ cancelRefetch: false })
  }, [pathname, refetch])
}
