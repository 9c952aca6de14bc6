import type { User } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, Navigate, useParams } from 'react-router'
import { QueryProvider } from '../../api/query-provider.tsx'
import { useSession } from '../../api/session.ts'
import { ButtonLink } from '../../components/form/button.tsx'
import { ChoosePasswordForm } from '../../features/identity/choose-password-form.tsx'
import { passwordResetQuery, useResetPassword } from '../../features/identity/reset-queries.ts'
import { t } from '../../i18n/t.ts'
import { tNodes } from '../../i18n/t-nodes.tsx'
import type { CardState } from '../../lib/page/card-state.ts'
import { paths } from '../../paths.ts'
import { CardNote, CardPage } from '../shared/page/card-page.tsx'
import { EmailLinkGate } from './email-link-gate.tsx'

/** The page a password email links to. The token stays in the URL until it is used, so that a reload or another browser still works. */
export function ResetPage() {
  const { token = '' } = useParams()
  return (
    <QueryProvider>
      <Reset key={token} token={token} />
    </QueryProvider>
  )
}

function Reset({ token }: { token: string }) {
  const session = useSession()
  const [email, setEmail] = useState<string>()
  if (email === undefined) {
    return (
      <CardPage title={t('Choose a new password')}>
        <ChoosePassword token={token} onDone={setEmail} />
      </CardPage>
    )
  }
  if (session.kind === 'signed-in' && session.info.email !== email) {
    return (
      <CardPage title={t('Password changed')}>
        <PasswordChanged email={email} other={session.info} />
      </CardPage>
    )
  }
  const state: CardState = { email, passwordChanged: true }
  // Replaces the history entry, so that Back does not lead to a used link.
  return <Navigate to={paths.login} replace state={state} />
}

function ChoosePassword({ token, onDone }: { token: string; onDone: (email: string) => void }) {
  const reset = useResetPassword()
  return (
    <EmailLinkGate owner={useQuery(passwordResetQuery(token))} invalid={<LinkInvalid />}>
      {({ email }, onInvalid) => (
        <ChoosePasswordForm
          token={token}
          email={email}
          passwordLabel={t('New password')}
          submitLabel={t('Set password')}
          action={reset}
          onDone={() => onDone(email)}
          invalidCode="reset.not_found"
          onInvalid={onInvalid}
        />
      )}
    </EmailLinkGate>
  )
}

const LinkInvalid = () => (
  <>
    <CardNote>
      <p>{t('This link no longer works or is incomplete. These links work once, for an hour. Request a new one.')}</p>
    </CardNote>
    <ButtonLink variant="primary" to={paths.forgot}>
      {t('Request a new email')}
    </ButtonLink>
    <p>
      <Link to={paths.login}>{t('Back to sign-in')}</Link>
    </p>
  </>
)

/** Shown if another user is signed in: the sign-in page would redirect to their dashboard without explanation. */
const PasswordChanged = ({ email, other }: { email: string; other: User }) => (
  <>
    <CardNote>
      <p>{tNodes('The password for {email} has been changed.', { email: <strong>{email}</strong> })}</p>
      <p>
        {tNodes('This browser is still signed in as {name}, {email}.', {
          name: <strong>{other.name}</strong>,
          email: other.email,
        })}
      </p>
    </CardNote>
    <ButtonLink variant="primary" to={paths.start} replace>
      {t('Go to the dashboard')}
    </ButtonLink>
  </>
)
