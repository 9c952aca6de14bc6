import { passwordMax } from '@neptune/contract'
import { type FormEvent, useRef, useState } from 'react'
import { ApiError, getFieldErrors } from '../../api/api-error.ts'
import { changePassword } from '../../api/session.ts'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { PasswordField } from '../../components/form/field.tsx'
import { FormError } from '../../components/form/form-error.tsx'
import { useAction } from '../../components/form/use-action.ts'
import { t } from '../../i18n/t.ts'
import { checkPassword, getPasswordHelp } from '../../lib/password-hint.ts'
import css from './account.module.css'

const c = classNames(css)

interface Fault {
  fields: { oldPassword?: string; newPassword?: string }
  /** An error that belongs to no field. */
  general?: string | undefined
}

/** Requires the old password, so that an unlocked screen isn’t enough to change it. */
export function ChangePasswordForm({ onChanged }: { onChanged: () => void }) {
  const form = useRef<HTMLFormElement>(null)
  const oldField = useRef<HTMLInputElement>(null)
  const newField = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const change = useAction(changePassword, { isRepeatable: true })
  const [attempt, setAttempt] = useState(0)
  const [fault, setFault] = useState<Fault>({ fields: {} })

  /** Shows the errors and focuses the first field that has one. */
  function showFault(found: Fault) {
    setFault(found)
    if (found.fields.oldPassword) oldField.current?.focus()
    else if (found.fields.newPassword) newField.current?.focus()
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const entered = { oldPassword: String(data.get('oldPassword')), newPassword: String(data.get('newPassword')) }
    const fields = findFaults(entered)
    if (Object.keys(fields).length > 0) return showFault({ fields })
    setFault({ fields: {} })
    change.run(entered, {
      onSuccess: () => {
        form.current?.reset()
        setTyped('')
        onChanged()
      },
      onError: (error) => {
        setAttempt(attempt + 1)
        showFault(faultOf(error))
      },
    })
  }

  return (
    <form ref={form} noValidate className={c('form')} onSubmit={submit}>
      {fault.general && <FormError title={fault.general} attempt={attempt} />}
      <PasswordField
        ref={oldField}
        label={t('Current password')}
        name="oldPassword"
        required
        autoComplete="current-password"
        maxLength={passwordMax}
        error={fault.fields.oldPassword}
      />
      <PasswordField
        ref={newField}
        label={t('New password')}
        name="newPassword"
        required
        autoComplete="new-password"
        maxLength={passwordMax}
        {...getPasswordHelp(typed, fault.fields.newPassword)}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button type="submit" variant="primary" busy={change.isBusy}>
        {t('Change password')}
      </Button>
    </form>
  )
}

function findFaults({ oldPassword, newPassword }: { oldPassword: string; newPassword: string }): Fault['fields'] {
  const newFault = checkPassword(newPassword)
  return {
    ...(oldPassword === '' && { oldPassword: t('Enter your current password.') }),
    ...(newFault && { newPassword: newFault }),
  }
}

function faultOf(error: Error): Fault {
  if (error instanceof ApiError && error.code === 'session.wrong_credentials')
    return { fields: { oldPassword: t('That is not your current password.') } }
  const fields = getFieldErrors(error)
  return Object.keys(fields).length > 0 ? { fields } : { fields: {}, general: error.message }
}
