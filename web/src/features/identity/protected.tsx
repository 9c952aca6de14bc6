import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useSession } from '../../api/session.ts'
import type { Frame } from '../../lib/lazy-page.tsx'
import type { ReturnState } from '../../lib/return-path.ts'
import { paths } from '../../paths.ts'
import { useRestore } from './use-restore.ts'

type Props = Frame & { children: ReactNode }

/** Lets in only who holds an unexpired session; everyone else signs in first and comes back to this very page. */
export function Protected({ children, Pending, Failed }: Props) {
  const session = useSession()
  const restore = useRestore()
  const { pathname, search, hash } = useLocation()
  if (session.kind === 'signed-in') return children
  if (session.kind === 'unknown') return restore.error ? <Failed {...restore} /> : <Pending />
  const left = session.reason === 'signed-out' || session.reason === 'unconfirmed'
  // Who signed out on purpose starts afresh: the next to sign in here may be someone else.
  const state: ReturnState | null = left ? null : { from: pathname + search + hash }
  return <Navigate to={paths.login} replace state={state} />
}
