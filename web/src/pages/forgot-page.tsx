import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { Queries } from '../api/query-client.tsx'
import { Button } from '../components/button.tsx'
import { ForgotForm } from '../features/identity/forgot-form.tsx'
import { cardState } from '../lib/card-state.ts'
import { paths } from '../paths.ts'
import { t } from '../words/t.ts'
import { tNodes } from '../words/t-nodes.tsx'
import { CardNote, CardPage } from './card-page.tsx'

export function ForgotPage() {
  const { email: typed = '' } = cardState(useLocation().state)
  const [email, setEmail] = useState(typed)
  const [isSent, setSent] = useState(false)
  const sent = (to: string) => {
    setEmail(to)
    setSent(true)
  }
  return (
    <CardPage title={t('Forgot your password?')}>
      {isSent ? (
        <>
          <CardNote>
            <p>
              {tNodes(
                'If somebody has the address {email}, a mail is on its way. It brings a link to choose a new password; the link works once, for an hour.',
                { email: <strong>{email}</strong> },
              )}
            </p>
            <p>{t('Nothing there? Look in the spam folder, or ask an administrator.')}</p>
          </CardNote>
          <Button onClick={() => setSent(false)}>{t('Use another address')}</Button>
        </>
      ) : (
        <>
          <p>{t('Enter the address you sign in with. A mail brings you a link to choose a new password.')}</p>
          <Queries>
            <ForgotForm email={email} onSent={sent} />
          </Queries>
        </>
      )}
      <p>
        <Link to={paths.login}>{t('Back to sign-in')}</Link>
      </p>
    </CardPage>
  )
}
