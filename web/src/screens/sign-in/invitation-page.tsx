import type { SignInProvider, User } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from 'react-router'
import { QueryProvider } from '../../api/query-provider.tsx'
import { signOut, useSession } from '../../api/session.ts'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { useAction } from '../../components/form/use-action.ts'
import { ChoosePasswordForm } from '../../features/identity/choose-password-form.tsx'
import { invitationQuery, useAcceptInvitation } from '../../features/identity/invitation-queries.ts'
import { useRestoreSession } from '../../features/identity/use-restore-session.ts'
import { ProviderButtons } from '../../features/provider/provider-buttons.tsx'
import { signInOptionsQuery } from '../../features/provider/provider-queries.ts'
import { t } from '../../i18n/t.ts'
import { tNodes } from '../../i18n/t-nodes.tsx'
import { paths } from '../../paths.ts'
import { CardNote, CardPage } from '../shared/page/card-page.tsx'
import { EmailLinkGate } from './email-link-gate.tsx'

/** The page an invitation links to. Opening it changes nothing, so programs that follow links in emails don’t use it up. */
export function InvitationPage() {
  const { token = '' } = useParams()
  return (
    <QueryProvider>
      <Invitation key={token} token={token} />
    </QueryProvider>
  )
}

function Invitation({ token }: { token: string }) {
  useRestoreSession()
  const session = useSession()
  const owner = useQuery(invitationQuery(token))
  const options = useQuery(signInOptionsQuery())
  const accept = useAcceptInvitation()
  const invited = owner.data?.data
  const user = session.kind === 'signed-in' ? session.info : undefined
  // Replaces the history entry, so that Back does not lead to a used link.
  if (invited && user?.email === invited.email) return <Navigate to={paths.start} replace />
  return (
    <CardPage title={invited ? t('Welcome, {name}', { name: invited.name }) : t('Your invitation')}>
      <EmailLinkGate owner={owner} invalid={<InvitationInvalid />}>
        {({ email, company_name }, onInvalid) =>
          user ? (
            <OtherUser user={user} email={email} />
          ) : options.data?.password === false ? (
            <InvitationWithoutPassword company={company_name} providers={options.data.providers} />
          ) : (
            <>
              <p>
                {tNodes('You’re invited to join {company}. Choose a password to get started.', {
                  company: <strong>{company_name}</strong>,
                })}
              </p>
              <ChoosePasswordForm
                token={token}
                email={email}
                passwordLabel={t('Password')}
                submitLabel={t('Accept invitation')}
                action={accept}
                invalidCode="invitation.not_found"
                onInvalid={onInvalid}
              />
            </>
          )
        }
      </EmailLinkGate>
    </CardPage>
  )
}

/** Signing in with a provider accepts the invitation. */
const InvitationWithoutPassword = ({ company, providers }: { company: string; providers: readonly SignInProvider[] }) => (
  <>
    <p>
      {tNodes('You’re invited to join {company}. To get started, sign in with an account that you already have:', {
        company: <strong>{company}</strong>,
      })}
    </p>
    <ProviderButtons providers={providers} to={paths.start} remember={false} />
  </>
)

/** Shown if another user is signed in, such as the admin who opens the link to try it. */
function OtherUser({ user, email }: { user: User; email: string }) {
  const leave = useAction(signOut)
  return (
    <>
      <CardNote>
        <p>
          {tNodes('This invitation is for {email}, but this browser is signed in as {name}.', {
            email: <strong>{email}</strong>,
            name: <strong>{user.name}</strong>,
          })}
        </p>
        <p>{t('Sign out to accept it here, or open the link in another browser.')}</p>
      </CardNote>
      <Button variant="primary" busy={leave.isBusy} onClick={() => leave.run()}>
        {t('Sign out')}
      </Button>
    </>
  )
}

const InvitationInvalid = () => (
  <>
    <CardNote>
      <p>
        {t(
          'This invitation no longer works, or its link is incomplete. If you got a newer one, use that. Otherwise, ask an administrator.',
        )}
      </p>
      <p>{t('If you’ve already accepted it, sign in.')}</p>
    </CardNote>
    <ButtonLink variant="primary" to={paths.login}>
      {t('Sign in')}
    </ButtonLink>
  </>
)
