import { passwordMax } from '@neptune/contract'
import { useEffect, useRef } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { RequestFailure } from '../../api/request-failure.tsx'
import { useForm } from '../../api/use-form.ts'
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
  const reset = useResetPassword()
  const form = useForm({
    initial: { password: '' },
    action: reset,
    validate({ password }) {
      const fault = checkPassword(password)
      return fault ? { password: fault } : {}
    },
    submit: ({ password }) =>
      reset.run({ token, password }, { onSuccess: onDone, onError: (error) => isInvalidLink(error) && onInvalid() }),
    failureFocus: 'password',
  })
  const password = form.field('password')

  useEffect(() => field.current?.focus(), [])

  return (
    <form className={c('form')} {...form.form}>
      {form.failure && <RequestFailure error={form.failure} />}
      <TextField label={t('E-mail address')} name="email" type="email" autoComplete="username" readOnly value={email} />
      <PasswordField
        ref={field}
        label={t('New password')}
        required
        autoComplete="new-password"
        maxLength={passwordMax}
        {...password}
        {...getPasswordHelp(password.value, password.error)}
      />
      <Button type="submit" variant="primary" busy={reset.isBusy}>
        {t('Set password')}
      </Button>
    </form>
  )
}

const isInvalidLink = (error: Error) => error instanceof ApiError && error.code === 'reset.not_found'
