import { passwordMax } from '@neptune/contract'
import { changePassword } from '../../api/session.ts'
import { useForm } from '../../api/use-form.ts'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { PasswordField } from '../../components/form/field.tsx'
import { FormError } from '../../components/form/form-error.tsx'
import { useAction } from '../../components/form/use-action.ts'
import { t } from '../../i18n/t.ts'
import { checkPassword, getPasswordHelp } from '../../lib/password-hint.ts'
import css from './account.module.css'

const c = classNames(css)

interface ChangePasswordFormProps {
  /** Whether the user has no password yet. */
  isFirst: boolean
  onChanged: () => void
}

/**
 * Requires the old password, so that an unlocked screen isn’t enough to change it. A user without a password must have confirmed their
 * identity recently instead.
 */
export function ChangePasswordForm({ isFirst, onChanged }: ChangePasswordFormProps) {
  const change = useAction(changePassword, { isRepeatable: true })
  const form = useForm({
    initial: { oldPassword: '', newPassword: '' },
    action: change,
    fieldByCode: {
      'session.wrong_credentials': { field: 'oldPassword', message: t('That is not your current password.') },
    },
    validate({ oldPassword, newPassword }) {
      const newFault = checkPassword(newPassword)
      return {
        ...(!isFirst && oldPassword === '' && { oldPassword: t('Enter your current password.') }),
        ...(newFault && { newPassword: newFault }),
      }
    },
    submit: ({ oldPassword, newPassword }) =>
      change.run(isFirst ? { newPassword } : { oldPassword, newPassword }, {
        onSuccess() {
          form.reset()
          onChanged()
        },
      }),
  })

  return (
    <form className={c('form')} {...form.form}>
      {form.failure && <FormError title={form.failure.message} />}
      {!isFirst && (
        <PasswordField
          label={t('Current password')}
          required
          autoComplete="current-password"
          maxLength={passwordMax}
          {...form.uncontrolledField('oldPassword')}
        />
      )}
      <PasswordField
        label={t('New password')}
        required
        autoComplete="new-password"
        maxLength={passwordMax}
        {...form.uncontrolledField('newPassword')}
        {...getPasswordHelp(form.draft.newPassword, form.errors['newPassword'])}
      />
      <Button type="submit" variant="primary" busy={change.isBusy}>
        {isFirst ? t('Set password') : t('Change password')}
      </Button>
    </form>
  )
}
