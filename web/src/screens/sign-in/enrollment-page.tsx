import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { QueryProvider } from '../../api/query-provider.tsx'
import { signOut } from '../../api/session.ts'
import { finishEnrollment } from '../../api/session-store.ts'
import { ToastProvider } from '../../components/feedback/toast.tsx'
import { Button } from '../../components/form/button.tsx'
import { useAction } from '../../components/form/use-action.ts'
import { factorsQuery } from '../../features/factor/factor-queries.ts'
import { mustSetUpFactor } from '../../features/factor/must-set-up-factor.ts'
import { findPasskeyObstacle } from '../../features/passkey/passkey-obstacle.ts'
import { passkeysQuery } from '../../features/passkey/passkey-queries.ts'
import { t } from '../../i18n/t.ts'
import { ConfirmationHost } from '../shared/dialogs/confirmation-host.tsx'
import { PasskeySetUp } from '../shared/factors/passkey-set-up.tsx'
import { TotpSetUp } from '../shared/factors/totp-set-up.tsx'
import { CardPage } from '../shared/page/card-page.tsx'

/** Shown instead of every staff page to people who must set up a second factor first. */
export const EnrollmentPage = () => (
  <QueryProvider>
    <ToastProvider>
      <Enrollment />
      <ConfirmationHost />
    </ToastProvider>
  </QueryProvider>
)

function Enrollment() {
  const { data } = useQuery(factorsQuery())
  const passkeys = useQuery(passkeysQuery())
  const canAddPasskey = passkeys.data !== undefined && findPasskeyObstacle(passkeys.data) === undefined
  const [isSettingUp, setSettingUp] = useState(false)
  const leave = useAction(signOut)
  // Also if the factor was set up in another tab, or is no longer required.
  const isFinished = data !== undefined && !mustSetUpFactor(data) && !isSettingUp
  useEffect(() => {
    if (isFinished) finishEnrollment()
  }, [isFinished])
  return (
    <CardPage title={t('Set up a second factor')}>
      <p>
        {t(
          'Your organisation requires a second factor, so that a stolen password isn’t enough to access its files. Set one up to continue.',
        )}
      </p>
      {canAddPasskey && (
        <>
          <p>{t('The easiest option is a passkey: your fingerprint, face, PIN or security key.')}</p>
          <PasskeySetUp names={passkeys.data.passkeys.map(({ name }) => name)} variant="primary" onToggle={setSettingUp} />
        </>
      )}
      {!passkeys.isPending && (
        <>
          <p>
            {canAddPasskey
              ? t('Or use an authenticator app on your phone, or a password manager that shows six-digit codes.')
              : t('You need an authenticator app on your phone, or a password manager that shows six-digit codes.')}
          </p>
          <TotpSetUp isOffered variant={canAddPasskey ? undefined : 'primary'} onToggle={setSettingUp} />
        </>
      )}
      <Button busy={leave.isBusy} onClick={() => leave.run()}>
        {t('Sign out')}
      </Button>
    </CardPage>
  )
}
