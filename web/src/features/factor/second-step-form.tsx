import { type Args, api } from '@neptune/contract'
import { type ChangeEvent, type FormEvent, useEffect, useRef } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/client.ts'
import { RequestFailure } from '../../api/request-failure.tsx'
import { startSession } from '../../api/session.ts'
import { useForm } from '../../api/use-form.ts'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { Checkbox } from '../../components/form/checkbox.tsx'
import { TextField } from '../../components/form/field.tsx'
import { useAction } from '../../components/form/use-action.ts'
import { t } from '../../i18n/t.ts'
import { codeField, getRecoveryCodeMessage, hasSixDigits } from './codes.ts'
import css from './factor.module.css'

const c = classNames(css)

/** What people enter: a code from their authenticator app, or a recovery code. */
type CodeKind = 'totp' | 'recovery_code'

interface SecondStepFormProps {
  kind: CodeKind
  challenge: string
  /** For how many days this browser can be trusted. Zero if it can’t. */
  trustDays: number
  /** Called if the sign-in has to start again. */
  onEnded: (failure: Error) => void
}

const completeSignIn = async (body: Args<typeof api.factor.signIn>['body']): Promise<void> =>
  startSession(await call(api.factor.signIn, { body }))

/** Completes a sign-in with a code. A code from an app is sent as soon as it has six digits. */
export function SecondStepForm({ kind, challenge, trustDays, onEnded }: SecondStepFormProps) {
  const input = useRef<HTMLInputElement>(null)
  const action = useAction(completeSignIn)
  const isApp = kind === 'totp'
  const form = useForm({
    initial: { code: '', trust: false },
    action,
    fieldByCode: {
      'session.wrong_code': isApp ? 'code' : { field: 'code', message: getRecoveryCodeMessage() },
    },
    validate: ({ code }) => validateCode(kind, code),
    submit: ({ code, trust }) =>
      action.run(
        { challenge, code, ...(trust && { trust }) },
        {
          onError(error) {
            if (!(error instanceof ApiError)) return
            if (error.code === 'session.challenge_ended') onEnded(error)
            if (error.code === 'session.wrong_code' && isApp) form.change({ code: '' })
          },
        },
      ),
    failureFocus: 'code',
  })
  const field = form.field('code')
  const changeCode = (event: ChangeEvent<HTMLInputElement>) => {
    field.onChange(event)
    if (isApp && hasSixDigits(event.target.value)) event.target.form?.requestSubmit()
  }

  /** Ignores Enter after a wrong code: the code was sent without Enter, and an error about the empty field would replace the actual one. */
  const submit = (event: FormEvent<HTMLFormElement>) => {
    if (field.error === undefined || input.current?.value !== '') return form.form.onSubmit(event)
    event.preventDefault()
    input.current.focus()
  }

  useEffect(() => input.current?.focus(), [])

  return (
    <form className={c('form')} {...form.form} onSubmit={submit}>
      {form.failure && <RequestFailure error={form.failure} />}
      <p>
        {isApp
          ? t('Enter the six-digit code from your authenticator app.')
          : t('Enter one of the recovery codes that you saved. Each works once.')}
      </p>
      {/* Before the code, which is sent as soon as it is complete. */}
      {trustDays > 0 && <Checkbox label={t('Trust this browser for {n} days', { n: trustDays })} {...form.checkbox('trust')} />}
      {isApp ? (
        <TextField ref={input} label={t('Code')} {...codeField} {...field} onChange={changeCode} />
      ) : (
        <TextField
          ref={input}
          label={t('Recovery code')}
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          {...field}
        />
      )}
      <Button type="submit" variant="primary" busy={action.isBusy}>
        {t('Sign in')}
      </Button>
      {!isApp && <p className={c('help')}>{t('No app and no codes? Ask an administrator to remove your second factor.')}</p>}
    </form>
  )
}

function validateCode(kind: CodeKind, code: string): Record<string, string> {
  if (kind === 'totp') return hasSixDigits(code) ? {} : { code: t('Enter the six digits that the app shows.') }
  return code.trim() === '' ? { code: t('Enter a recovery code.') } : {}
}
