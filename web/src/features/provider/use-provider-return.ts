import { useLocation } from 'react-router'
import { getReturnPath } from '../../lib/page/return-path.ts'
import { confirmationParameter } from './confirmation-window.ts'
import { readReturnPath } from './start-at-provider.ts'

/** Reads the outcome of a sign-in with a provider from the URL of the login page, and the page to open after the sign-in. */
export function useProviderReturn() {
  const { search, state } = useLocation()
  const query = new URLSearchParams(search)
  const outcome = query.get('sso')
  const isBack = outcome !== null && state === null
  return {
    outcome,
    /** Whether this is the confirmation window (confirmation-window.ts). */
    isConfirmation: query.has(confirmationParameter),
    to: getReturnPath(isBack ? { from: readReturnPath() } : state),
  }
}
