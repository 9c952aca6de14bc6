import { useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useSession } from '../../api/session.ts'
import type { EndReason } from '../../api/session-store.ts'
import { SignInForm } from '../../features/identity/sign-in-form.tsx'
import { useRestoreSession } from '../../features/identity/use-restore-session.ts'
import { PasskeySignIn } from '../../features/passkey/passkey-sign-in.tsx'
import { t } from '../../i18n/t.ts'
import { readCardState } from '../../lib/card-state.ts'
import { lazyPage, withTranslations } from '../../lib/page/lazy-page.tsx'
import { getReturnPath } from '../../lib/page/return-path.ts'
import { CardPage } from '../shared/page/card-page.tsx'
import { CardFailed, CardPending } from '../shared/page/page-states.tsx'
import type { SecondStepProps } from './second-step.tsx'

/** Loaded on demand, because most sign-ins have only one step. */
const SecondStep = lazyPage<SecondStepProps>(
  withTranslations(() => import('./second-step.tsx').then((module) => module.SecondStep)),
  { Pending: CardPending, Failed: CardFailed },
)

type Step =
  | { kind: 'first'; email?: string | undefined; failure?: Error | undefined }
  | { kind: 'second'; email: string; secondFactor: SecondStepProps['secondFactor'] }

/** Redirects users who are already signed in, even if only another tab or the cookie shows it. The form is shown in the meantime. */
export function LoginPage() {
  useRestoreSession()
  const session = useSession()
  const { state } = useLocation()
  const { email, passwordChanged } = readCardState(state)
  const [step, setStep] = useState<Step>({ kind: 'first', email })
  const [remember, setRemember] = useState(false)
  if (session.kind === 'signed-in') return <Navigate to={getReturnPath(state)} replace />
  if (step.kind === 'second') {
    const { email, secondFactor } = step
    const goBack = (failure?: Error) => {
      setStep({ kind: 'first', email, failure })
      setRemember(false) // as in the form, which is a new one
    }
    return <SecondStep secondFactor={secondFactor} onBack={goBack} />
  }
  const endNote = session.kind === 'signed-out' ? describeSessionEnd(session.reason) : undefined
  const note = passwordChanged ? t('Your password has been changed. Sign in with the new one.') : endNote
  return (
    <CardPage title={t('Sign in')}>
      {note && <p role="status">{note}</p>}
      <SignInForm
        email={step.email}
        earlierFailure={step.failure}
        onRemember={setRemember}
        onSecondFactor={(email, secondFactor) => setStep({ kind: 'second', email, secondFactor })}
      />
      {/* Other ways to sign in stand here, below the form. */}
      <PasskeySignIn remember={remember} />
    </CardPage>
  )
}

function describeSessionEnd(reason: EndReason | undefined): string | undefined {
  if (reason === 'expired') return t('Your session has ended. Sign in to continue.')
  if (reason === 'unconfirmed')
    return t('You’re signed out in this browser. The server will be notified as soon as it can be reached.')
  return undefined
}
