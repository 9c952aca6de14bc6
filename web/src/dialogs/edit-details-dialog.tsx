import { passwordMax, type User } from '@neptune/contract'
import { type ChangeEvent, useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { useSession } from '../api/session.ts'
import { DialogFrame } from '../components/dialog-frame.tsx'
import { PasswordField } from '../components/field.tsx'
import { useToast } from '../components/toast.tsx'
import type { ActionStatus } from '../components/use-action.ts'
import { useChangeOwnDetails } from '../features/identity/details-queries.ts'
import { useChangeUser } from '../features/user/user-queries.ts'
import { t } from '../words/t.ts'
import { emptyProblem, type Faults, problemOf } from './form-problem.ts'
import { PersonFields } from './person-fields.tsx'

interface EditDetailsDialogProps {
  user: User
  onClose: () => void
}

/** What somebody is called, and where mails reach them. */
export function EditDetailsDialog({ user, onClose }: EditDetailsDialogProps) {
  const session = useSession()
  const isOwn = session.kind === 'signed-in' && session.info.id === user.id
  return isOwn ? <OwnDialog user={user} onClose={onClose} /> : <OthersDialog user={user} onClose={onClose} />
}

/** The password is asked for, so that an open screen is not enough. */
function OwnDialog({ user, onClose }: EditDetailsDialogProps) {
  const change = useChangeOwnDetails()
  return (
    <DetailsForm
      description={t('You sign in with this e-mail address. If you change it, the old and the new address both get an email.')}
      user={user}
      asksPassword
      change={change}
      onSave={(changed, password, then) =>
        change.run({ ...changed, password }, { onSuccess: () => then(t('Your details are saved.')) })
      }
      onClose={onClose}
    />
  )
}

function OthersDialog({ user, onClose }: EditDetailsDialogProps) {
  const change = useChangeUser()
  return (
    <DetailsForm
      description={t('They sign in with this e-mail address. If you change it, the old and the new address both get an email.')}
      user={user}
      asksPassword={false}
      change={change}
      onSave={(changed, _, then) =>
        change.run(
          { ...changed, id: user.id },
          { onSuccess: ({ data: { name } }) => then(t('Saved the details of {name}.', { name })) },
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
  onSave: (changed: ReturnType<typeof changesOf>, password: string, then: (message: string) => void) => void
}

const failed = 'The details were not saved.'

function DetailsForm({ description, user, asksPassword, change, onSave, onClose }: DetailsFormProps) {
  const [draft, setDraft] = useState<Draft>({ name: user.name, email: user.email, password: '' })
  const [faults, setFaults] = useState<Faults>({})
  const toast = useToast()

  const confirm = () => {
    const found = findFaults(draft, asksPassword)
    setFaults(found)
    change.reset()
    if (Object.keys(found).length > 0) return
    const changed = changesOf(user, draft)
    if (Object.keys(changed).length === 0) return onClose()
    onSave(changed, draft.password, (message) => {
      toast({ message })
      onClose()
    })
  }
  const { fields, error } = change.error ? refusalOf(change.error) : emptyProblem(t(failed), faults)
  const field = (name: keyof Draft) => ({
    name,
    value: draft[name],
    error: fields[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => setDraft({ ...draft, [name]: target.value }),
  })

  return (
    <DialogFrame
      title={t('Edit Details')}
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

const findFaults = ({ name, email, password }: Draft, asksPassword: boolean): Faults => ({
  ...(!name.trim() && { name: t('Enter a name.') }),
  ...(!email.trim() && { email: t('Enter an e-mail address.') }),
  ...(asksPassword && password === '' && { password: t('Enter your current password.') }),
})

const changesOf = (user: User, { name, email }: Draft) => ({
  ...(name.trim() !== user.name && { name }),
  ...(email.trim() !== user.email && { email }),
})

function refusalOf(failure: unknown) {
  if (failure instanceof ApiError && failure.code === 'session.wrong_credentials')
    return emptyProblem(t(failed), { password: t('That is not your current password.') })
  return problemOf(failure, t(failed), { 'user.email_taken': 'email' })
}
