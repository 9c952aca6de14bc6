import { passwordMax, type User } from '@neptune/contract'
import { type ChangeEvent, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useSession } from '../../api/session.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { PasswordField } from '../../components/form/field.tsx'
import type { ActionStatus } from '../../components/form/use-action.ts'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { useChangeOwnDetails } from '../../features/identity/details-queries.ts'
import { useChangeUser } from '../../features/user/user-queries.ts'
import { t } from '../../i18n/t.ts'
import { describeFailure, describeFieldErrors, type FieldErrors } from '../shared/form-problem.ts'
import { PersonFields } from './person-fields.tsx'

interface EditDetailsDialogProps {
  user: User
  onClose: () => void
}

/** Edits a user's name and email address. */
export function EditDetailsDialog({ user, onClose }: EditDetailsDialogProps) {
  const session = useSession()
  const isOwn = session.kind === 'signed-in' && session.info.id === user.id
  return isOwn ? <OwnDetailsDialog user={user} onClose={onClose} /> : <UserDetailsDialog user={user} onClose={onClose} />
}

/** Asks for the password, so that an unattended screen is not enough to take over the account. */
function OwnDetailsDialog({ user, onClose }: EditDetailsDialogProps) {
  const change = useChangeOwnDetails()
  return (
    <DetailsForm
      description={t('You sign in with this email address. If you change it, the old and the new address both get an email.')}
      user={user}
      asksPassword
      change={change}
      onSave={(changes, password, onSaved) =>
        change.run({ ...changes, password }, { onSuccess: () => onSaved(t('Saved your details.')) })
      }
      onClose={onClose}
    />
  )
}

function UserDetailsDialog({ user, onClose }: EditDetailsDialogProps) {
  const change = useChangeUser()
  return (
    <DetailsForm
      description={t('They sign in with this email address. If you change it, the old and the new address both get an email.')}
      user={user}
      asksPassword={false}
      change={change}
      onSave={(changes, _, onSaved) =>
        change.run(
          { ...changes, id: user.id },
          { onSuccess: ({ data: { name } }) => onSaved(t('Saved the details of {name}.', { name })) },
        )
      }
      onClose={onClose}
    />
  )
}

interface DetailsFormProps extends EditDetailsDialogProps {
  description: string
  asksPassword: boolean
  change: Pick<ReturnType<typeof useChangeUser>, keyof ActionStatus | 'error' | 'reset'>
  onSave: (changes: ReturnType<typeof getChanges>, password: string, onSaved: (message: string) => void) => void
}

const failureTitle = 'The details were not saved.'

function DetailsForm({ description, user, asksPassword, change, onSave, onClose }: DetailsFormProps) {
  const [draft, setDraft] = useState<Draft>({ name: user.name, email: user.email, password: '' })
  const [errors, setErrors] = useState<FieldErrors>({})
  const toast = useToast()

  const confirm = () => {
    const invalid = validate(draft, asksPassword)
    setErrors(invalid)
    change.reset()
    if (Object.keys(invalid).length > 0) return
    const changes = getChanges(user, draft)
    if (Object.keys(changes).length === 0) return onClose()
    onSave(changes, draft.password, (message) => {
      toast({ message })
      onClose()
    })
  }
  const { fields, error } = change.error ? describeRefusal(change.error) : describeFieldErrors(t(failureTitle), errors)
  const field = (name: keyof Draft) => ({
    name,
    value: draft[name],
    error: fields[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => setDraft({ ...draft, [name]: target.value }),
  })

  return (
    <DialogFrame
      title={t('Edit details')}
      description={description}
      confirmLabel={t('Save')}
      action={change}
      dirty={draft.name !== user.name || draft.email !== user.email || draft.password !== ''}
      error={Object.keys(fields).length > 0 || change.error ? error : undefined}
      onConfirm={confirm}
      onClose={onClose}
    >
      <PersonFields field={field} />
      {asksPassword && (
        <PasswordField
          label={t('Current password')}
          required
          autoComplete="current-password"
          maxLength={passwordMax}
          {...field('password')}
        />
      )}
    </DialogFrame>
  )
}

interface Draft {
  name: string
  email: string
  password: string
}

const validate = ({ name, email, password }: Draft, asksPassword: boolean): FieldErrors => ({
  ...(!name.trim() && { name: t('Enter a name.') }),
  ...(!email.trim() && { email: t('Enter an email address.') }),
  ...(asksPassword && password === '' && { password: t('Enter your current password.') }),
})

const getChanges = (user: User, { name, email }: Draft) => ({
  ...(name.trim() !== user.name && { name }),
  ...(email.trim() !== user.email && { email }),
})

function describeRefusal(failure: unknown) {
  if (failure instanceof ApiError && failure.code === 'session.wrong_credentials')
    return describeFieldErrors(t(failureTitle), { password: t('That is not your current password.') })
  return describeFailure(failure, t(failureTitle), { 'user.email_taken': 'email' })
}
