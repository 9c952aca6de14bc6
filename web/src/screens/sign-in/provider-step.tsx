import type { PendingSignIn } from '@neptune/contract'
import { useEffect, useRef, useState } from 'react'
import { Navigate } from 'react-router'
import { useSession } from '../../api/session.ts'
import { getSession, type SessionState } from '../../api/session-store.ts'
import { readPending } from '../../features/provider/pending-sign-in.ts'
import type { ReturnState } from '../../lib/page/return-path.ts'
import { paths } from '../../paths.ts'
import { CardFailed, CardPending } from '../shared/page/page-states.tsx'
import { ConnectPage } from './connect-page.tsx'
import { SecondStep } from './second-step.tsx'

type Stage =
  | { kind: 'loading' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'ended' }
  | { kind: 'ready'; pending: PendingSignIn }

/** Continues a sign-in with a provider: asks for consent to connect the account, or for a second factor. */
export function ProviderStep() {
  const [stage, setStage] = useState<Stage>({ kind: 'loading' })
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt loads again.
  useEffect(() => {
    const controller = new AbortController()
    readPending(controller.signal).then(
      (pending) => setStage(pending ? { kind: 'ready', pending } : { kind: 'ended' }),
      (error) => controller.signal.aborted || setStage({ kind: 'failed', error }),
    )
    return () => controller.abort()
  }, [attempt])
  const retry = () => {
    setStage({ kind: 'loading' })
    setAttempt(attempt + 1)
  }
  if (stage.kind === 'loading') return <CardPending />
  if (stage.kind === 'failed') return <CardFailed error={stage.error} retry={retry} />
  if (stage.kind === 'ended') return <Navigate to={`${paths.login}?sso=expired`} replace />
  return <Pending {...stage.pending} />
}

/** Continues as soon as a new session has started, even if this window already had one. */
function Pending(pending: PendingSignIn) {
  const session = useSession()
  const first = useRef(getToken(getSession()))
  const [secondFactor, setSecondFactor] = useState(pending.second_factor)
  const [status, setStatus] = useState<'pending' | 'ended' | 'canceled' | 'connected'>('pending')
  const back: ReturnState = { from: pending.to }
  const isNewSession = session.kind === 'signed-in' && session.token !== first.current
  if (status === 'connected' || (isNewSession && pending.needs !== 'sign_in')) return <Navigate to={pending.to} replace />
  if (status === 'ended') return <Navigate to={`${paths.login}?sso=expired`} replace state={back} />
  if (status === 'canceled') return <Navigate to={paths.login} replace state={back} />
  if (secondFactor) {
    const leave = (failure?: Error) => setStatus(failure ? 'ended' : 'canceled')
    return <SecondStep secondFactor={secondFactor} onBack={leave} />
  }
  return (
    <ConnectPage
      pending={pending}
      onConnected={() => setStatus('connected')}
      onSecondFactor={setSecondFactor}
      onEnded={() => setStatus('ended')}
      onCancel={() => setStatus('canceled')}
    />
  )
}

const getToken = (session: SessionState) => (session.kind === 'signed-in' ? session.token : undefined)
