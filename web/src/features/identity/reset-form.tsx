import { passwordMax } from '@neptune/contract'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError, getFieldErrors } from '../../api/api-error.ts'
import { Refusal } from '../../api/refusal.tsx'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { PasswordField, TextField } from '../../components/form/field.tsx'
import { t } from '../../i18n/t.ts'
import { checkPassword, getPasswordHelp } from '../../lib/password-hint.ts'
import css from './card-form.module.css'
import { useResetPassword } from './reset-queries.ts'

const c = classNames(css)

interface ResetFormProps {
  token: string
  email: string
  onDone: () => void
  /** Called if the link was used or expired in the meantime. */
  onInvalid: () => void
}

/** Shows the email address as a field, so that password managers store the new password for the right account. */
export function ResetForm({ token, email, onDone, onInvalid }: ResetFormProps) {
  const field = useRef<HTMLInputElement>(null)
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<string>()
  const reset = useResetPassword()

  useEffect(() => field.current?.focus(), [])

  function submit(event: FormEvent) {
    event.preventDefault()
    const fault = checkPassword(password)
    setFault(fault)
    reset.reset()
    if (fault) return field.current?.focus()
    const onError = (error: Error) => (isInvalidLink(error) ? onInvalid() : field.current?.focus())
    reset.run({ token, password }, { onSuccess: onDone, onError })
  }
  const fieldError = fault ?? getFieldErrors(reset.error)['password']

  return (
    <form className={c('form')} noValidate onSubmit={submit}>
      {reset.error && !fieldError && <Refusal error={reset.error} />}
      <TextField label={t('E-mail address')} name="email" type="email" autoComplete="username" readOnly value={email} />
      <PasswordField
        ref={field}
        label={t('New password')}
        name="password"
        required
        autoComplete="new-password"
        maxLength={passwordMax}
        {...getPasswordHelp(password, fieldError)}
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
      <Button type="submit" variant="primary" busy={reset.isBusy}>
        {t('Set password')}
      </Button>
    </form>
  )
}

const isInvalidLink = (error: Error) => error instanceof ApiError && error.code === 'reset.not_found'
