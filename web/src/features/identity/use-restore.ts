import { useCallback, useEffect, useState } from 'react'
import { restoreSession, useSession } from '../../api/session.ts'

/** Asks once whether this browser is still signed in. An error means the server gave no verdict. */
export function useRestore() {
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
