import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { signOutEverywhere } from '../../api/session.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { Button } from '../../components/form/button.tsx'
import { useAction } from '../../components/form/use-action.ts'
import { sessionsQuery } from '../../features/identity/session-queries.ts'
import { SessionsTable } from '../../features/identity/sessions-table.tsx'
import { passkeysQuery } from '../../features/passkey/passkey-queries.ts'
import { providerAccountsQuery } from '../../features/provider/provider-queries.ts'
import { t } from '../../i18n/t.ts'
import { PageSection, PageSections } from '../shared/page/page-section.tsx'
import { ConnectedAccounts } from './connected-accounts.tsx'
import { PasskeySection } from './passkey-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { SignInSection } from './sign-in-section.tsx'

/** The user’s details, password and sessions, followed by further sections (`children`). */
export function AccountSections({ details, children }: { details: ReactNode; children: ReactNode }) {
  const toast = useToast()
  const passkeys = useQuery(passkeysQuery())
  const sessions = useQuery(sessionsQuery())
  const accounts = useQuery(providerAccountsQuery())
  const signOutAll = useAction(signOutEverywhere, { onError: ({ message }) => toast({ message }) })
  return (
    <PageSections>
      {details}
      <PasswordSection />
      <PasskeySection />
      {/* The following sections are rendered once those above have loaded, so that the layout does not shift. */}
      {!passkeys.isPending && (
        <>
          <SignInSection />
          <PageSection
            name={t('Sessions')}
            note={t('Where you are signed in.')}
            action={
              <Button busy={signOutAll.isBusy} onClick={() => signOutAll.run()}>
                {t('Sign out everywhere')}
              </Button>
            }
          >
            <SessionsTable />
          </PageSection>
          {!sessions.isPending && <ConnectedAccounts />}
          {!sessions.isPending && !accounts.isPending && children}
        </>
      )}
    </PageSections>
  )
}
