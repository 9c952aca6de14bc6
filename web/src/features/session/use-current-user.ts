import type { User } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { currentUserQuery } from './session-queries.ts'

/** The person as the server knows them now; until it answers, as they signed in. Asked again at every navigation. */
export function useCurrentUser(info: User): User {
  const { data, refetch } = useQuery(currentUserQuery())
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is not used, its change is what counts.
  useEffect(() => {
    void refetch({ cancelRefetch: false })
  }, [pathname, refetch])
  return data?.data ?? info
}
