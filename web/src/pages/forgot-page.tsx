import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { CardPage } from './card-page.tsx'

export function ForgotPage() {
  return (
    <CardPage title="Forgot your password?">
      <p>This server cannot send mail yet, so it cannot reset a password. Ask an administrator.</p>
      <p>
        <Link to={paths.login}>Back to sign-in</Link>
      </p>
    </CardPage>
  )
}
