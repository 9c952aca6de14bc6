import { passwordMax, type User, type UserRow } from '@neptune/contract'
import type { FieldErrors } from '../../../api/form-errors.ts'
import { useSession } from '../../../api/session.ts'
import { type FormAction, useForm } from '../../../api/use-form.ts'
import { useToast } from '../../../components/feedback/toast.tsx'
import { PasswordField } from '../../../components/form/field.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { usePasswordState } from '../../../features/factor/factor-queries.ts'
import { useChangeOwnDetails } from '../../../features/identity/details-queries.ts'
import { useHasMailServer } from '../../../features/mail/mail-queries.ts'
import { useChangeUser } from '../../../features/user/user-queries.ts'
import { t } from '../../../i18n/t.ts'
import { PersonFields } from '../person-fields.tsx'

interface EditDetailsDialogProps {
  user: User & Partial<Pick<UserRow, 'invitation_ends_at'>>
  onClose: () => void
}

/** Edits a user's name and email address. */
export function EditDetailsDialog({ user, onClose }: EditDetailsDialogProps) {
  const session = useSession()
  const isOwn = session.kind === 'signed-in' && session.info.id === user.id
  return isOwn ? <OwnDetailsDialog user={user} onClose={onClose} /> : <UserDetailsDialog user={user} onClose={onClose} />
}

/**
 * Asks for the password, so that an unattended screen is not enough to take over the account. People without one confirm who they are in
 * another way, in a dialog that opens by itself.
 */
function OwnDetailsDialog({ user, onClose }: EditDetailsDialogProps) {
  const change = useChangeOwnDetails()
  const password = usePasswordState()
  const hasPassword = password === undefined || password === 'set'
  const hasMailServer = useHasMailServer()
  return (
    <DetailsForm
      description={describeOwnEmail(hasPassword, hasMailServer)}
      user={user}
      asksPassword={hasPassword}
      change={change}
      onSave={(changes, password, onSaved) =>
        change.run({ ...changes, ...(hasPassword && { password }) }, { onSuccess: () => onSaved(t('Saved your details.')) })
      }
      onClose={onClose}
    />
  )
}

function describeOwnEmail(hasPassword: boolean, hasMailServer: boolean): string | undefined {
  if (!hasPassword)
    return hasMailServer ? t('If you change your email address, the old and the new one both get an email.') : undefined
  return hasMailServer
    ? t('You sign in with this email address. If you change it, the old and the new address both get an email.')
    : t('You sign in with this email address.')
}

function UserDetailsDialog({ user, onClose }: EditDetailsDialogProps) {
  const change = useChangeUser()
  const hasMailServer = useHasMailServer()
  return (
    <DetailsForm
      description={describeEmail(user, hasMailServer)}
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

function describeEmail({ invitation_ends_at }: EditDetailsDialogProps['user'], hasMailServer: boolean): string {
  if (invitation_ends_at)
    return t(
      'They haven’t accepted their invitation yet. If you change the email address, the link stops working: send a new one.',
    )
  return hasMailServer
    ? t('This email address is used to sign in with a password. If you change it, the old and the new address both get an email.')
    : t('This email address is used to sign in with a password. No mail server is set up, so tell them if you change it.')
}

interface DetailsFormProps extends EditDetailsDialogProps {
  description: string | undefined
  asksPassword: boolean
  change: FormAction
  onSave: (changes: ReturnType<typeof getChanges>, password: string, onSaved: (message: string) => void) => void
}

function DetailsForm({ description, user, asksPassword, change, onSave, onClose }: DetailsFormProps) {
  const toast = useToast()
  const form = useForm<Draft>({
    initial: { name: user.name, email: user.email, password: '' },
    action: change,
    failureTitle: t('The details were not saved.'),
    fieldByCode: {
      'user.email_taken': 'email',
      'session.wrong_credentials': { field: 'password', message: t('That is not your current password.') },
    },
    validate: (draft) => validate(draft, asksPassword),
    submit(draft) {
      const changes = getChanges(user, draft)
      if (Object.keys(changes).length === 0) return onClose()
      onSave(changes, draft.password, (message) => {
        toast({ message })
        onClose()
      })
    },
  })

  return (
    <DialogFrame title={t('Edit details')} description={description} confirmLabel={t('Save')} {...form.dialog} onClose={onClose}>
      <PersonFields field={form.field} />
      {asksPassword && (
        <PasswordField
          label={t('Current password')}
          required
          autoComplete="current-password"
          maxLength={passwordMax}
          {...form.field('password')}
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
