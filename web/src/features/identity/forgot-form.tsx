import { emailMax } from '@neptune/contract'
import { useEffect, useRef } from 'react'
import { RequestFailure } from '../../api/request-failure.tsx'
import { useForm } from '../../api/use-form.ts'
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
  const requestReset = useRequestPasswordReset()
  const form = useForm({
    initial: { email },
    action: requestReset,
    validate: ({ email }) => (email.trim() ? {} : { email: t('Enter your email address.') }),
    submit: ({ email }) => requestReset.run(email.trim(), { onSuccess: () => onSent(email.trim()) }),
    failureFocus: 'email',
  })

  useEffect(() => field.current?.focus(), [])

  return (
    <form className={c('form')} {...form.form}>
      {form.failure && <RequestFailure error={form.failure} />}
      <TextField
        ref={field}
        label={t('E-mail address')}
        type="email"
        required
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={emailMax}
        {...form.uncontrolledField('email')}
      />
      <Button type="submit" variant="primary" busy={requestReset.isBusy}>
        {t('Send email')}
      </Button>
    </form>
  )
}
