import { useEffect, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { RequestFailure } from '../../api/request-failure.tsx'
import { classNames } from '../../components/class-names.ts'
import { KeyIcon } from '../../components/entry-icons.tsx'
import { Button } from '../../components/form/button.tsx'
import { t } from '../../i18n/t.ts'
import css from './passkey.module.css'
import { supportsPasskeys } from './passkey-support.ts'
import { usePasskeyAction } from './use-passkey-action.ts'
import type { AuthenticationResponse } from './webauthn.ts'

const c = classNames(css)

/** Loaded on demand, because the sign-in page must load fast. */
const loadCalls = () => import('./sign-in-with-passkey.ts')

/**
 * Shows a button to sign in with a passkey, and lets the browser suggest passkeys for the email address. Shows nothing where neither
 * can work.
 */
export function PasskeySignIn({ remember }: { remember: boolean }) {
  const [isAvailable, setAvailable] = useState(supportsPasskeys)
  const { run, isBusy, error } = usePasskeyAction(
    async (chosen: AuthenticationResponse | undefined) => (await loadCalls()).signInWithPasskey({ remember }, chosen),
    { isRepeatable: true },
  )
  const hasFailed = error !== undefined
  // Browsers answer one request at a time, so the suggestions end while the button is used. After an error they don’t start again, because
  // some password managers answer by themselves, again and again.
  useEffect(() => {
    if (!isAvailable || isBusy || hasFailed) return
    const suggestions = new AbortController()
    loadCalls()
      .then(({ offerPasskeys }) => offerPasskeys(suggestions.signal))
      .then(run, (error) => {
        if (error instanceof ApiError && error.code === 'passkey.unavailable') setAvailable(false)
      })
    return () => suggestions.abort()
  }, [isAvailable, isBusy, hasFailed, run])
  if (!isAvailable) return null
  return (
    <div className={c('form')}>
      {error && <RequestFailure error={error} />}
      <Button icon={<KeyIcon />} busy={isBusy} onClick={() => run(undefined)}>
        {t('Sign in with a passkey')}
      </Button>
    </div>
  )
}
