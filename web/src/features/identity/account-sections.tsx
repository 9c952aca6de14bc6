import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { signOutEverywhere } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { classNames } from '../../components/class-names.ts'
import { useToast } from '../../components/toast.tsx'
import { t } from '../../words/t.ts'
import css from './account.module.css'
import { ChangePasswordForm } from './change-password-form.tsx'
import { SessionsTable } from './sessions-table.tsx'

const c = classNames(css)

export function AccountSections() {
  const toast = useToast()
  const queries = useQueryClient()
  const changed = () => {
    toast({ message: t('Your password is changed. Everywhere else you are signed out.') })
    void queries.invalidateQueries({ queryKey: ['sessions'] })
  }
  const leave = () => signOutEverywhere().catch((error: Error) => toast({ message: error.message }))
  return (
    <div className={c('sections')}>
      <Section name={t('Change password')} note={t('Changing it signs you out on every other browser.')}>
        <ChangePasswordForm onChanged={changed} />
      </Section>
      <Section
        name={t('Sessions')}
        note={t('Where you are signed in.')}
        action={<Button onClick={() => void leave()}>{t('Sign out everywhere')}</Button>}
      >
        <SessionsTable />
      </Section>
    </div>
  )
}

function Section({ name, note, action, children }: { name: string; note: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section className={c('section')} aria-label={name}>
      <div className={c('head')}>
        <div>
          <h2 className={c('heading')}>{name}</h2>
          <p className={c('note')}>{note}</p>
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}
