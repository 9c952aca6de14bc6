import { type ErrorCode, passwordMax } from '@neptune/contract'
import { useEffect, useRef } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { RequestFailure } from '../../api/request-failure.tsx'
import { useForm } from '../../api/use-form.ts'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { PasswordField, TextField } from '../../components/form/field.tsx'
import type { Action } from '../../components/form/use-action.ts'
import { t } from '../../i18n/t.ts'
import { checkPassword, getPasswordHelp } from '../../lib/password-hint.ts'
import css from './card-form.module.css'

const c = classNames(css)

interface ChoosePasswordFormProps {
  token: string
  email: string
  passwordLabel: string
  submitLabel: string
  action: Action<{ token: string; password: string }, unknown>
  onDone?: () => void
  /** The error code for a link that was used or expired in the meantime. */
  invalidCode: ErrorCode
  onInvalid: () => void
}

/** Shows the email address as a field, so that password managers store the new password for the right account. */
export function ChoosePasswordForm({ token, email, action, ...props }: ChoosePasswordFormProps) {
  const field = useRef<HTMLInputElement>(null)
  const form = useForm({
    initial: { password: '' },
    action,
    validate({ password }) {
      const fault = checkPassword(password)
      return fault ? { password: fault } : {}
    },
    submit: ({ password }) =>
      action.run(
        { token, password },
        {
          onSuccess: () => props.onDone?.(),
          onError: (error) => error instanceof ApiError && error.code === props.invalidCode && props.onInvalid(),
        },
      ),
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
        label={props.passwordLabel}
        required
        autoComplete="new-password"
        maxLength={passwordMax}
        {...password}
        {...getPasswordHelp(password.value, password.error)}
      />
      <Button type="submit" variant="primary" busy={action.isBusy}>
        {props.submitLabel}
      </Button>
    </form>
  )
}
