import type { PendingSignIn } from '@neptune/contract'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { QueryProvider } from '../../api/query-provider.tsx'
import { RequestFailure } from '../../api/request-failure.tsx'
import { useSession } from '../../api/session.ts'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { useAction } from '../../components/form/use-action.ts'
import { SignInForm } from '../../features/identity/sign-in-form.tsx'
import { useRestoreSession } from '../../features/identity/use-restore-session.ts'
import { connectAccount } from '../../features/provider/pending-sign-in.ts'
import { t } from '../../i18n/t.ts'
import { tNodes } from '../../i18n/t-nodes.tsx'
import { ConfirmationHost } from '../shared/dialogs/confirmation-host.tsx'
import { CardPage } from '../shared/page/card-page.tsx'
import css from './provider-sign-in.module.css'
import { SecondStep, type SecondStepProps } from './second-step.tsx'

const c = classNames(css)

type SecondFactor = SecondStepProps['secondFactor']

interface ConnectPageProps {
  pending: PendingSignIn
  onConnected: () => void
  onSecondFactor: (secondFactor: SecondFactor) => void
  onEnded: () => void
  onCancel: () => void
}

/** Asks before an account at a provider is connected to an existing user. */
export function ConnectPage(props: ConnectPageProps) {
  if (props.pending.needs === 'sign_in') return <SignInFirst {...props} />
  return (
    <Consent {...props} isSignedIn={false}>
      <p>
        {props.pending.needs === 'invitation'
          ? t('You’re invited here with this email address. Connecting accepts the invitation, and you don’t need a password.')
          : t('There is already a user with this email address here. Connect the two to sign in this way from now on.')}
      </p>
    </Consent>
  )
}

/** For an email address that the provider doesn’t manage: only the existing user can connect the account. */
function SignInFirst(props: ConnectPageProps) {
  useRestoreSession()
  const session = useSession()
  const [second, setSecond] = useState<{ email: string; secondFactor: SecondFactor }>()
  const [failure, setFailure] = useState<Error>()
  if (session.kind === 'signed-in') {
    return (
      <QueryProvider>
        <Consent {...props} isSignedIn>
          <p>{tNodes('Connect this account to {name} to sign in this way from now on.', { name: <b>{session.info.name}</b> })}</p>
        </Consent>
        <ConfirmationHost />
      </QueryProvider>
    )
  }
  if (second) {
    const leave = (reason?: Error) => {
      setSecond(undefined)
      setFailure(reason)
    }
    return <SecondStep secondFactor={second.secondFactor} onBack={leave} />
  }
  return (
    <CardPage title={t('Sign in first')}>
      <AccountAtProvider {...props.pending} />
      <p>
        {t('There is already a user with this email address here. To prove that it’s you, sign in once the way you did before.')}
      </p>
      <SignInForm
        email={props.pending.email}
        earlierFailure={failure}
        onSecondFactor={(email, secondFactor) => setSecond({ email, secondFactor })}
      />
      <Button wide onClick={props.onCancel}>
        {t('Cancel')}
      </Button>
    </CardPage>
  )
}

interface ConsentProps extends ConnectPageProps {
  isSignedIn: boolean
  children: React.ReactNode
}

function Consent({ pending, isSignedIn, children, onConnected, onSecondFactor, onEnded, onCancel }: ConsentProps) {
  const connect = useAction(connectAccount)
  const run = () =>
    connect.run(undefined, {
      onSuccess: onConnected,
      onError(error) {
        if (!(error instanceof ApiError)) return
        if (error.secondFactor) onSecondFactor(error.secondFactor)
        if (error.code === 'session.challenge_ended') onEnded()
      },
    })
  return (
    <CardPage title={t('Connect your account?')}>
      {connect.error && <RequestFailure error={connect.error} />}
      <AccountAtProvider {...pending} />
      {children}
      <div className={c('ways')}>
        <Button variant="primary" wide busy={connect.isBusy} onClick={run}>
          {isSignedIn ? t('Connect') : t('Connect and sign in')}
        </Button>
        <Button wide onClick={onCancel}>
          {t('Cancel')}
        </Button>
      </div>
    </CardPage>
  )
}

/** Who the person is at the provider. */
const AccountAtProvider = ({ provider, email }: PendingSignIn) => (
  <p>
    {tNodes('You signed in at {provider} as {email}.', {
      provider: <b>{provider?.name}</b>,
      email: <b className={c('email')}>{email}</b>,
    })}
  </p>
)
