import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { Queries } from '../api/query-client.tsx'
import { Button } from '../components/button.tsx'
import { ForgotForm } from '../features/identity/forgot-form.tsx'
import { cardState } from '../lib/card-state.ts'
import { paths } from '../paths.ts'
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
    <CardPage title="Forgot your password?">
      {isSent ? (
        <>
          <CardNote>
            <p>
              If somebody has the address <strong>{email}</strong>, a mail is on its way. It brings a link to choose a new
              password; the link works once, for an hour.
            </p>
            <p>Nothing there? Look in the spam folder, or ask an administrator.</p>
          </CardNote>
          <Button onClick={() => setSent(false)}>Use another address</Button>
        </>
      ) : (
        <>
          <p>Enter the address you sign in with. A mail brings you a link to choose a new password.</p>
          <Queries>
            <ForgotForm email={email} onSent={sent} />
          </Queries>
        </>
      )}
      <p>
        <Link to={paths.login}>Back to sign-in</Link>
      </p>
    </CardPage>
  )
}
