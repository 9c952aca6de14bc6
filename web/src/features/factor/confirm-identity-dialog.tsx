import { passwordMax } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useForm } from '../../api/use-form.ts'
import { classNames } from '../../components/class-names.ts'
import { PasswordField, TextField } from '../../components/form/field.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { t } from '../../i18n/t.ts'
import { codeField, hasSixDigits } from './codes.ts'
import css from './factor.module.css'
import { factorsQuery, useConfirmIdentity } from './factor-queries.ts'

const c = classNames(css)

interface ConfirmIdentityDialogProps {
  /** Whether the user can sign in with a password. */
  hasPassword: boolean
  onDone: (isConfirmed: boolean) => void
  /** Further ways to confirm the user’s identity. */
  children?: ReactNode
}

/** Asks for the password, or for a code if the user has an authenticator app, before a sensitive action. */
export function ConfirmIdentityDialog({ hasPassword, onDone, children }: ConfirmIdentityDialogProps) {
  const field = useRef<HTMLInputElement>(null)
  const [prefersApp, setPrefersApp] = useState(false)
  const hasApp = useQuery(factorsQuery()).data?.totp_since != null
  const usesApp = hasApp && (prefersApp || !hasPassword)
  const confirm = useConfirmIdentity()
  const form = useForm({
    initial: { password: '', code: '' },
    action: confirm,
    failureTitle: t('That didn’t work.'),
    fieldByCode: {
      'session.wrong_credentials': { field: 'password', message: t('That is not your current password.') },
      'session.wrong_code': 'code',
    },
    validate({ password, code }) {
      if (usesApp) return hasSixDigits(code) ? {} : { code: t('Enter the six digits that the app shows.') }
      return password === '' ? { password: t('Enter your password.') } : {}
    },
    submit: ({ password, code }) => confirm.run(usesApp ? { code } : { password }, { onSuccess: () => onDone(true) }),
  })
  const switchKind = () => {
    setPrefersApp(!usesApp)
    form.setErrors({})
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: focuses the field that replaces the other one.
  useEffect(() => field.current?.focus(), [usesApp])
  const frame = {
    title: t('Confirm that it’s you'),
    description: t('This protects your account while you’re away from your screen. You won’t be asked again for 15 minutes.'),
    onClose: () => onDone(false),
  }
  if (!hasPassword && !hasApp) {
    return (
      <DialogFrame {...frame} confirmLabel={t('Cancel')}>
        {children}
      </DialogFrame>
    )
  }
  return (
    <DialogFrame confirmLabel={t('Confirm')} {...form.dialog} {...frame} dirty={false}>
      {usesApp ? (
        <TextField ref={field} label={t('Code from your authenticator app')} {...codeField} {...form.field('code')} />
      ) : (
        <PasswordField
          ref={field}
          label={t('Password')}
          required
          autoComplete="current-password"
          maxLength={passwordMax}
          {...form.field('password')}
        />
      )}
      {hasApp && hasPassword && (
        <button type="button" className={c('link')} onClick={switchKind}>
          {usesApp ? t('Use your password instead') : t('Use a code from your app instead')}
        </button>
      )}
      {children}
    </DialogFrame>
  )
}
