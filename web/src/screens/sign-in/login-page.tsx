import { Navigate, useLocation } from 'react-router'
import { useSession } from '../../api/session.ts'
import type { EndReason } from '../../api/session-store.ts'
import { SignInForm } from '../../features/identity/sign-in-form.tsx'
import { useRestoreSession } from '../../features/identity/use-restore-session.ts'
import { t } from '../../i18n/t.ts'
import { readCardState } from '../../lib/card-state.ts'
import { getReturnPath } from '../../lib/page/return-path.ts'
import { CardPage } from '../shared/page/card-page.tsx'

/** Redirects users who are already signed in, even if only another tab or the cookie shows it. The form is shown in the meantime. */
export function LoginPage() {
  useRestoreSession()
  const session = useSession()
  const { state } = useLocation()
  if (session.kind === 'signed-in') return <Navigate to={getReturnPath(state)} replace />
  const { email, passwordChanged } = readCardState(state)
  const endNote = session.kind === 'signed-out' ? describeSessionEnd(session.reason) : undefined
  const note = passwordChanged ? t('Your password has been changed. Sign in with the new one.') : endNote
  return (
    <CardPage title={t('Sign in')}>
      {note && <p role="status">{note}</p>}
      <SignInForm email={email} />
    </CardPage>
  )
}

function describeSessionEnd(reason: EndReason | undefined): string | undefined {
  if (reason === 'expired') return t('Your session has ended. Sign in to continue.')
  if (reason === 'unconfirmed')
    return t('You’re signed out in this browser. The server will be notified as soon as it can be reached.')
  return undefined
}
