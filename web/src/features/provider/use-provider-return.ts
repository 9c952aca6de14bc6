import { useLocation } from 'react-router'
import { getReturnPath } from '../../lib/page/return-path.ts'
import { confirmationParameter } from './confirmation-window.ts'
import { readReturnPath } from './start-at-provider.ts'

/** Reads from the address of the login page with what result a provider has sent the browser back, and where to go after the sign-in. */
export function useProviderReturn() {
  const { search, state } = useLocation()
  const query = new URLSearchParams(search)
  const outcome = query.get('sso')
  const isBack = outcome !== null && state === null
  return {
    outcome,
    /** Whether this is the window in which someone proves who they are. */
    isConfirmation: query.has(confirmationParameter),
    to: getReturnPath(isBack ? { from: readReturnPath() } : state),
  }
}
