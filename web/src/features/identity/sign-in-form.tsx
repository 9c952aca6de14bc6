import { emailMax } from '@neptune/contract'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { getFieldErrors } from '../../api/api-error.ts'
import { Refusal } from '../../api/refusal.tsx'
import { signIn } from '../../api/session.ts'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { Checkbox } from '../../components/form/checkbox.tsx'
import { PasswordField, TextField } from '../../components/form/field.tsx'
import { useAction } from '../../components/form/use-action.ts'
import { t } from '../../i18n/t.ts'
import type { CardState } from '../../lib/card-state.ts'
import { paths } from '../../paths.ts'
import css from './card-form.module.css'

const c = classNames(css)

type FieldErrors = { email?: string; password?: string }

/** Signs in with email and password. On success the session changes, and the page decides where to go. */
export function SignInForm({ email: given = '' }: { email?: string | undefined }) {
  const email = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(given)
  const action = useAction(signIn)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [refusal, setRefusal] = useState<{ at: number; error: Error }>()

  useEffect(() => (given ? password : email).current?.focus(), [given])

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const entered = { email: String(form.get('email')).trim(), password: String(form.get('password')) }
    const missing = findMissing(entered)
    setErrors(missing)
    if (missing.email || missing.password) {
      setRefusal(undefined)
      return (missing.email ? email : password).current?.focus()
    }
    const onError = (error: Error) => {
      const wrong: FieldErrors = getFieldErrors(error)
      setErrors(wrong)
      setRefusal({ at: event.timeStamp, error })
      const first = wrong.email ? email : password
      first.current?.focus()
    }
    action.run({ ...entered, remember: form.has('remember') }, { onError })
  }

  return (
    <form className={c('form')} noValidate onSubmit={submit}>
      {refusal && <Refusal key={refusal.at} error={refusal.error} />}
      <TextField
        ref={email}
        label={t('E-mail address')}
        name="email"
        type="email"
        required
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={emailMax}
        defaultValue={given}
        onChange={({ target }) => setTyped(target.value)}
        error={errors.email}
      />
      <PasswordField
        ref={password}
        label={t('Password')}
        name="password"
        required
        autoComplete="current-password"
        error={errors.password}
      />
      <div className={c('row')}>
        <Checkbox label={t('Remember me')} name="remember" />
        <Link to={paths.forgot} state={{ email: typed } satisfies CardState}>
          {t('Forgot your password?')}
        </Link>
      </div>
      <Button type="submit" variant="primary" busy={action.isBusy}>
        {t('Sign in')}
      </Button>
    </form>
  )
}

const findMissing = ({ email, password }: { email: string; password: string }): FieldErrors => ({
  ...(!email && { email: t('Enter your email address.') }),
  ...(!password && { password: t('Enter your password.') }),
})
