import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useSession } from '../../api/session.ts'
import type { PageStates } from '../../lib/page/lazy-page.tsx'
import type { ReturnState } from '../../lib/page/return-path.ts'
import { paths } from '../../paths.ts'
import { useRestoreSession } from './use-restore-session.ts'

type Props = PageStates & { children: ReactNode }

/** Renders its children only with a valid session. Otherwise redirects to sign-in, which returns to this page. */
export function Protected({ children, Pending, Failed }: Props) {
  const session = useSession()
  const restore = useRestoreSession()
  const { pathname, search, hash } = useLocation()
  if (session.kind === 'signed-in') return children
  if (session.kind === 'unknown') return restore.error ? <Failed {...restore} /> : <Pending />
  const isDeliberateSignOut = session.reason === 'signed-out' || session.reason === 'unconfirmed'
  // After a deliberate sign-out there is no return path: the next user may be someone else.
  const state: ReturnState | null = isDeliberateSignOut ? null : { from: pathname + search + hash }
  return <Navigate to={paths.login} replace state={state} />
}
