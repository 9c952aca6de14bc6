import { useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useSession } from '../../api/session.ts'
import type { EndReason } from '../../api/session-store.ts'
import { FormError } from '../../components/form/form-error.tsx'
import { SignInForm } from '../../features/identity/sign-in-form.tsx'
import { useRestoreSession } from '../../features/identity/use-restore-session.ts'
import { PasskeySignIn } from '../../features/passkey/passkey-sign-in.tsx'
import { describeOutcome, isWaiting } from '../../features/provider/provider-outcomes.ts'
import { useProviderReturn } from '../../features/provider/use-provider-return.ts'
import { useSignInOptions } from '../../features/provider/use-sign-in-options.ts'
import { t } from '../../i18n/t.ts'
import { readCardState } from '../../lib/page/card-state.ts'
import { lazyPage, withTranslations } from '../../lib/page/lazy-page.tsx'
import { CardPage } from '../shared/page/card-page.tsx'
import { CardFailed, CardPending } from '../shared/page/page-states.tsx'
import { ProviderSignIn, SignInWithoutPassword } from './provider-sign-in.tsx'
import type { SecondStepProps } from './second-step.tsx'

const states = { Pending: CardPending, Failed: CardFailed }

/** Loaded on demand, because most sign-ins have only one step. */
const SecondStep = lazyPage<SecondStepProps>(
  withTranslations(() => import('./second-step.tsx').then((module) => module.SecondStep)),
  states,
)
const ProviderStep = lazyPage(
  withTranslations(() => import('./provider-step.tsx').then((module) => module.ProviderStep)),
  states,
)
const ConfirmedPage = lazyPage<{ outcome: string | null }>(
  withTranslations(() => import('./confirmed-page.tsx').then((module) => module.ConfirmedPage)),
  states,
)

/** The login page, or what follows after a provider has sent the browser back to it. */
export function LoginPage() {
  const { outcome, isConfirmation, to } = useProviderReturn()
  if (isConfirmation) return <ConfirmedPage outcome={outcome} />
  return isWaiting(outcome) ? <ProviderStep /> : <FirstStep outcome={outcome} to={to} />
}

type Step =
  | { kind: 'first'; email?: string | undefined; failure?: Error | undefined }
  | { kind: 'second'; email: string; secondFactor: SecondStepProps['secondFactor'] }

/** Redirects users who are already signed in, even if only another tab or the cookie has the session. Shows the form until that is known. */
function FirstStep({ outcome, to }: { outcome: string | null; to: string }) {
  useRestoreSession()
  const session = useSession()
  const options = useSignInOptions()
  const { email, passwordChanged } = readCardState(useLocation().state)
  const [step, setStep] = useState<Step>({ kind: 'first', email })
  const [remember, setRemember] = useState(false)
  if (session.kind === 'signed-in') return <Navigate to={to} replace />
  if (step.kind === 'second') {
    const { email, secondFactor } = step
    const goBack = (failure?: Error) => {
      setStep({ kind: 'first', email, failure })
      setRemember(false) // like the checkbox of the form, which mounts again
    }
    return <SecondStep secondFactor={secondFactor} onBack={goBack} />
  }
  const failure = describeOutcome(outcome)
  const endNote = session.kind === 'signed-out' ? describeSessionEnd(session.reason) : undefined
  const note = passwordChanged ? t('Your password has been changed. Sign in with the new one.') : endNote
  return (
    <CardPage title={t('Sign in')}>
      {failure ? <FormError title={failure} announce="alert" /> : note && <p role="status">{note}</p>}
      {options.password ? (
        <>
          <SignInForm
            email={step.email}
            earlierFailure={step.failure}
            onRemember={setRemember}
            onSecondFactor={(email, secondFactor) => setStep({ kind: 'second', email, secondFactor })}
          />
          <ProviderSignIn providers={options.providers} to={to} remember={remember} />
        </>
      ) : (
        <SignInWithoutPassword providers={options.providers} to={to} remember={remember} onRemember={setRemember} />
      )}
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
