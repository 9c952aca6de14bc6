import type { ProviderAccount } from '@neptune/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { FormError } from '../../components/form/form-error.tsx'
import { useAction } from '../../components/form/use-action.ts'
import { useLatest } from '../../components/use-latest.ts'
import { t } from '../../i18n/t.ts'
import { continueWithNewSession, listenToConfirmation, openConfirmationWindow } from './confirmation-window.ts'
import css from './provider.module.css'
import { describeOutcome } from './provider-outcomes.ts'

const c = classNames(css)

interface ConfirmWithProviderProps {
  accounts: readonly ProviderAccount[]
  /** Whether there are other ways to confirm, above the buttons. */
  isAlternative: boolean
  onConfirmed: () => void
}

/** Confirms the user’s identity with their account at a provider. This opens a window, so that nothing entered on this page is lost. */
export function ConfirmWithProvider({ accounts, isAlternative, onConfirmed }: ConfirmWithProviderProps) {
  const [isWaiting, setWaiting] = useState(false)
  const [failure, setFailure] = useState<string>()
  const queries = useQueryClient()
  const takeOver = useAction(continueWithNewSession, {
    isRepeatable: true,
    onSuccess(isSamePerson) {
      void queries.invalidateQueries({ queryKey: ['sessions'] })
      if (isSamePerson) return onConfirmed()
      setWaiting(false)
      setFailure(t('You signed in there as someone else. Use your own account.'))
    },
    onError: ({ message }) => setFailure(message),
  })
  const latest = useLatest(takeOver)
  useEffect(
    () =>
      listenToConfirmation((report) => {
        if (report === 'confirmed') return latest.current.run()
        setWaiting(false)
        setFailure(describeOutcome(report) ?? t('That didn’t work.'))
      }),
    [latest],
  )
  const open = (provider: string) => {
    const isOpen = openConfirmationWindow(provider)
    setWaiting(isOpen)
    setFailure(isOpen ? undefined : t('Your browser has blocked the window. Allow it, and try again.'))
  }
  return (
    <div className={c('ways')}>
      {isAlternative && <p className={c('or')}>{t('or')}</p>}
      {failure !== undefined && <FormError title={failure} announce="alert" />}
      {listProviders(accounts).map(({ id, name }) => (
        <Button key={id} wide busy={takeOver.isBusy} onClick={() => open(id)}>
          {t('Confirm with {name}', { name })}
        </Button>
      ))}
      <p role="status" className={c('note')}>
        {isWaiting
          ? t('Sign in using the other window. This one continues automatically.')
          : t('Opens a new window. You won’t lose what you entered here.')}
      </p>
    </div>
  )
}

/** Returns the providers of the usable accounts, each once: a user can have several accounts at one provider. */
const listProviders = (accounts: readonly ProviderAccount[]) => [
  ...new Map(accounts.flatMap(({ provider }) => (provider ? [[provider.id, provider] as const] : []))).values(),
]

/** Returns whether any of the accounts can be used now. */
export const hasUsableAccount = (accounts: readonly ProviderAccount[]) => listProviders(accounts).length > 0
