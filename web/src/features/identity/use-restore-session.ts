import { useCallback, useEffect, useState } from 'react'
import { restoreSession, useSession } from '../../api/session.ts'

/** Restores the session once. An error means that the server could not tell whether the session is still valid. */
export function useRestoreSession() {
  const [error, setError] = useState<Error>()
  const isUnknown = useSession().kind === 'unknown'
  const retry = useCallback(() => {
    setError(undefined)
    restoreSession().catch(setError)
  }, [])
  useEffect(() => {
    if (isUnknown) retry()
  }, [isUnknown, retry])
  return { error, retry }
}
