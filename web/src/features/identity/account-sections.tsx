import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { signOutEverywhere } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { classNames } from '../../components/class-names.ts'
import { useToast } from '../../components/toast.tsx'
import { useAction } from '../../components/use-action.ts'
import { t } from '../../words/t.ts'
import css from './account.module.css'
import { AccountSection } from './account-section.tsx'
import { ChangePasswordForm } from './change-password-form.tsx'
import { sessionsQuery } from './session-queries.ts'
import { SessionsTable } from './sessions-table.tsx'

const c = classNames(css)

/** Who one is, one's password and sessions; then what else belongs to one. */
export function AccountSections({ details, children }: { details: ReactNode; children: ReactNode }) {
  const toast = useToast()
  const queries = useQueryClient()
  const sessions = useQuery(sessionsQuery())
  const changed = () => {
    toast({ message: t('Your password was changed. You’ve been signed out everywhere else.') })
    // API tokens end with the sessions.
    for (const name of ['sessions', 'tokens']) void queries.invalidateQueries({ queryKey: [name] })
  }
  const leave = useAction(signOutEverywhere, { onError: ({ message }) => toast({ message }) })
  return (
    <div className={c('sections')}>
      {details}
      <AccountSection name={t('Change password')} note={t('Changing it signs you out of every other browser.')}>
        <ChangePasswordForm onChanged={changed} />
      </AccountSection>
      <AccountSection
        name={t('Sessions')}
        note={t('Where you are signed in.')}
        action={
          <Button busy={leave.isBusy} onClick={() => leave.run()}>
            {t('Sign out everywhere')}
          </Button>
        }
      >
        <SessionsTable />
      </AccountSection>
      {/* Not before it is known how many sessions there are: it would jump. */}
      {!sessions.isPending && children}
    </div>
  )
}
