import type { TokenRow } from '@neptune/contract'
import { useCallback } from 'react'
import { Link } from 'react-router'
import { useSession } from '../../api/session.ts'
import { Button } from '../../components/form/button.tsx'
import { PlusIcon } from '../../components/icons.tsx'
import { usePasswordState } from '../../features/factor/factor-queries.ts'
import { TokensTable } from '../../features/token/tokens-table.tsx'
import { t } from '../../i18n/t.ts'
import { tNodes } from '../../i18n/t-nodes.tsx'
import { paths } from '../../paths.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'
import { PageSection } from '../shared/page/page-section.tsx'
import { StaffPage } from '../shared/page/staff-page.tsx'
import { AccountSections } from './account-sections.tsx'
import { OwnDetails } from './own-details.tsx'

export function AccountPage() {
  return (
    <StaffPage>
      <AccountSections details={<Details />}>
        <ApiTokens />
      </AccountSections>
    </StaffPage>
  )
}

function Details() {
  const session = useSession()
  const open = useDialog()
  const password = usePasswordState()
  if (session.kind !== 'signed-in') return null
  const { info } = session
  return (
    <PageSection
      name={t('Your details')}
      note={
        password === 'none' || password === 'off'
          ? t('Recipients see your name.')
          : t('Recipients see your name. You sign in with your email address.')
      }
      action={<Button onClick={() => open({ kind: 'edit-details', user: info })}>{t('Edit details')}</Button>}
    >
      <OwnDetails info={info} />
    </PageSection>
  )
}

function ApiTokens() {
  const open = useDialog()
  const revoke = useCallback((token: TokenRow) => open({ kind: 'revoke-token', token }), [open])
  return (
    <PageSection
      name={t('API tokens')}
      note={tNodes(
        'Scripts use these tokens to act as you: see the {docs}. Changing your password or signing out everywhere revokes them all.',
        {
          docs: <Link to={paths.docs}>{t('API documentation')}</Link>,
        },
      )}
      action={
        <Button icon={<PlusIcon />} onClick={() => open({ kind: 'create-token' })}>
          {t('Create token')}
        </Button>
      }
    >
      <TokensTable onRevoke={revoke} />
    </PageSection>
  )
}
