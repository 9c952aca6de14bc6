import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { QueryProvider } from '../../api/query-provider.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Button } from '../../components/form/button.tsx'
import { ForgotForm } from '../../features/identity/forgot-form.tsx'
import { mailWayQuery } from '../../features/mail/mail-queries.ts'
import { useSignInOptions } from '../../features/provider/use-sign-in-options.ts'
import { t } from '../../i18n/t.ts'
import { tNodes } from '../../i18n/t-nodes.tsx'
import { readCardState } from '../../lib/page/card-state.ts'
import { paths } from '../../paths.ts'
import { CardNote, CardPage } from '../shared/page/card-page.tsx'

export const ForgotPage = () => (
  <CardPage title={t('Forgot your password?')}>
    <QueryProvider>
      <Forgot />
    </QueryProvider>
    <p>
      <Link to={paths.login}>{t('Back to sign-in')}</Link>
    </p>
  </CardPage>
)

function Forgot() {
  const { email: typedEmail = '' } = readCardState(useLocation().state)
  const [email, setEmail] = useState(typedEmail)
  const [isSent, setSent] = useState(false)
  const way = useQuery(mailWayQuery())
  const { password } = useSignInOptions()
  const showSent = (to: string) => {
    setEmail(to)
    setSent(true)
  }
  if (way.isPending) return <Skeleton height={160} label={t('Loading')} />
  if (!password) {
    return (
      <CardNote>
        <p>{t('Your organisation has turned off passwords. Sign in a different way, or ask an administrator.')}</p>
      </CardNote>
    )
  }
  if (way.data === 'files') {
    return (
      <CardNote>
        <p>{t('No mail server is set up here, so no email can be sent.')}</p>
        <p>{t('Ask an administrator for a link to choose a new password.')}</p>
      </CardNote>
    )
  }
  return isSent ? (
    <>
      <CardNote>
        <p>
          {tNodes(
            'If there is an account for {email}, an email with a link to choose a new password is on its way. The link works once and expires after an hour.',
            { email: <strong>{email}</strong> },
          )}
        </p>
        <p>{t('Nothing there? Check your spam folder, or ask an administrator.')}</p>
      </CardNote>
      <Button onClick={() => setSent(false)}>{t('Use a different address')}</Button>
    </>
  ) : (
    <>
      <p>{t('Enter the email address you sign in with. You’ll get an email with a link to choose a new password.')}</p>
      <ForgotForm email={email} onSent={showSent} />
    </>
  )
}
