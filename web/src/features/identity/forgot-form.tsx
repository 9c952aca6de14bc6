import { emailMax } from '@neptune/contract'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { getFieldErrors } from '../../api/api-error.ts'
import { Refusal } from '../../api/refusal.tsx'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { TextField } from '../../components/form/field.tsx'
import { t } from '../../i18n/t.ts'
import css from './card-form.module.css'
import { useRequestPasswordReset } from './reset-queries.ts'

const c = classNames(css)

/** Requests the password reset email. Neither this form nor the server reveals whether the address has an account. */
export function ForgotForm({ email, onSent }: { email: string; onSent: (email: string) => void }) {
  const field = useRef<HTMLInputElement>(null)
  const [isMissing, setMissing] = useState(false)
  const forgot = useRequestPasswordReset()

  useEffect(() => field.current?.focus(), [])

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const entered = String(new FormData(event.currentTarget).get('email')).trim()
    setMissing(!entered)
    forgot.reset()
    if (!entered) return field.current?.focus()
    forgot.run(entered, { onSuccess: () => onSent(entered), onError: () => field.current?.focus() })
  }
  const fieldError = isMissing ? t('Enter your email address.') : getFieldErrors(forgot.error)['email']

  return (
    <form className={c('form')} noValidate onSubmit={submit}>
      {forgot.error && !fieldError && <Refusal error={forgot.error} />}
      <TextField
        ref={field}
        label={t('E-mail address')}
        name="email"
        type="email"
        required
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={emailMax}
        defaultValue={email}
        error={fieldError}
      />
      <Button type="submit" variant="primary" busy={forgot.isBusy}>
        {t('Send email')}
      </Button>
    </form>
  )
}
