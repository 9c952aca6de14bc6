import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { RequestFailure } from '../../api/request-failure.tsx'
import { classNames } from '../../components/class-names.ts'
import { KeyIcon } from '../../components/entry-icons.tsx'
import { Button } from '../../components/form/button.tsx'
import { Checkbox } from '../../components/form/checkbox.tsx'
import { t } from '../../i18n/t.ts'
import css from './passkey.module.css'
import { signInWithPasskey } from './sign-in-with-passkey.ts'
import { usePasskeyAction } from './use-passkey-action.ts'

const c = classNames(css)

interface PasskeyStepFormProps {
  challenge: string
  /** For how many days this browser can be trusted. Zero if it can’t. */
  trustDays: number
  /** Called if the sign-in has to start again. */
  onEnded: (failure: Error) => void
}

/** Completes a sign-in with a passkey. */
export function PasskeyStepForm({ challenge, trustDays, onEnded }: PasskeyStepFormProps) {
  const [trust, setTrust] = useState(false)
  const { run, isBusy, error } = usePasskeyAction(() => signInWithPasskey({ challenge, ...(trust && { trust }) }), {
    onError: (error) => error instanceof ApiError && error.code === 'session.challenge_ended' && onEnded(error),
  })
  return (
    <div className={c('form')}>
      {error && <RequestFailure error={error} />}
      <p>{t('Confirm with your fingerprint, face, PIN or security key.')}</p>
      {trustDays > 0 && (
        <Checkbox
          name="trust"
          label={t('Trust this browser for {n} days', { n: trustDays })}
          checked={trust}
          onChange={({ target }) => setTrust(target.checked)}
        />
      )}
      <Button variant="primary" icon={<KeyIcon />} busy={isBusy} onClick={() => run()} autoFocus>
        {t('Use a passkey')}
      </Button>
    </div>
  )
}
