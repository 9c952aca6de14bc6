import { emailMax } from '@neptune/contract'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { ApiError } from '../../api/api-error.ts'
import { RequestFailure } from '../../api/request-failure.tsx'
import { signIn } from '../../api/session.ts'
import { useForm } from '../../api/use-form.ts'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { Checkbox } from '../../components/form/checkbox.tsx'
import { PasswordField, TextField } from '../../components/form/field.tsx'
import { useAction } from '../../components/form/use-action.ts'
import { t } from '../../i18n/t.ts'
import type { CardState } from '../../lib/page/card-state.ts'
import { paths } from '../../paths.ts'
import css from './card-form.module.css'

const c = classNames(css)

interface SignInFormProps {
  email?: string | undefined
  /** Why the second step of the last attempt ended. */
  earlierFailure?: Error | undefined
  /** Called if the password was right, and the user has a second factor. */
  onSecondFactor: (email: string, secondFactor: NonNullable<ApiError['secondFactor']>) => void
  /** Called when “Remember me” changes, which also applies to other ways to sign in. */
  onRemember?: ((remember: boolean) => void) | undefined
}

/** Signs in with email and password. On success the session changes, and the sign-in page redirects. */
export function SignInForm({ email: initialEmail = '', earlierFailure, onSecondFactor, onRemember }: SignInFormProps) {
  const email = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const action = useAction(signIn)
  const form = useForm({
    initial: { email: initialEmail, password: '', remember: false },
    action,
    validate: ({ email, password }) => ({
      ...(!email.trim() && { email: t('Enter your email address.') }),
      ...(!password && { password: t('Enter your password.') }),
    }),
    submit: (draft) =>
      action.run(
        { ...draft, email: draft.email.trim() },
        {
          onError: (error, { email }) =>
            error instanceof ApiError && error.secondFactor && onSecondFactor(email, error.secondFactor),
        },
      ),
    failureFocus: 'password',
  })

  const remember = form.checkbox('remember')
  const failure = form.failure ?? (action.isBusy ? undefined : earlierFailure)

  useEffect(() => (initialEmail ? password : email).current?.focus(), [initialEmail])

  return (
    <form className={c('form')} {...form.form}>
      {failure && <RequestFailure error={failure} />}
      <TextField
        ref={email}
        label={t('E-mail address')}
        type="email"
        required
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={emailMax}
        {...form.uncontrolledField('email')}
      />
      <PasswordField
        ref={password}
        label={t('Password')}
        required
        autoComplete="current-password"
        {...form.uncontrolledField('password')}
      />
      <div className={c('row')}>
        <Checkbox
          label={t('Remember me')}
          {...remember}
          onChange={(event) => {
            remember.onChange(event)
            onRemember?.(event.target.checked)
          }}
        />
        <Link to={paths.forgot} state={{ email: form.draft.email } satisfies CardState}>
          {t('Forgot your password?')}
        </Link>
      </div>
      <Button type="submit" variant="primary" busy={action.isBusy}>
        {t('Sign in')}
      </Button>
    </form>
  )
}
