import type { Role, UserRow } from '@neptune/contract'
import { useId } from 'react'
import { useSession } from '../../api/session.ts'
import { useForm } from '../../api/use-form.ts'
import { classNames } from '../../components/class-names.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { Button } from '../../components/form/button.tsx'
import { SelectField } from '../../components/form/field.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { getRoleOptions, roleNames } from '../../features/user/roles.ts'
import { useChangeAccess } from '../../features/user/user-queries.ts'
import { t } from '../../i18n/t.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'
import css from './update-user-dialog.module.css'

const c = classNames(css)

export function UpdateUserDialog({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const { name, email } = user
  const session = useSession()
  const isOwn = session.kind === 'signed-in' && session.info.id === user.id
  const change = useChangeAccess()
  const toast = useToast()
  /** Returns callbacks that close the dialog and show the message. */
  const closeWithToast = (message: string) => ({
    onSuccess: () => {
      toast({ message })
      onClose()
    },
  })
  const form = useForm({
    // Starts with the current role, so that confirming by accident changes nothing. A missing role counts as User.
    initial: { role: user.role || 'NEPTUNE_USER' } as { role: Role },
    action: change,
    failureTitle: t('The user was not changed.'),
    submit: ({ role }) =>
      change.run(
        { kind: 'role', body: { email, role } },
        closeWithToast(t('{name} now has the role {role}.', { name, role: t(roleNames[role]) })),
      ),
  })
  const { role } = form.draft
  const disabledReason = isOwn
    ? t('You can’t change your own role.')
    : role === user.role
      ? t('They already have the role {role}.', { role: t(roleNames[role]) })
      : undefined

  return (
    <DialogFrame
      title={t('Update User')}
      description={
        <>
          <strong className={c('name')}>{name}</strong> {email}
        </>
      }
      confirmLabel={t('Update Role')}
      confirmDisabledReason={disabledReason}
      {...form.dialog}
      dirty={false}
      onClose={onClose}
    >
      <SelectField
        label={t('Role')}
        required
        options={getRoleOptions()}
        disabled={isOwn}
        {...form.field('role')}
        hint={disabledReason ?? <span className={c('effect')}>{describeRoleChange(user.role, role)}</span>}
      />
      <AccessSection
        user={user}
        disabledReason={isOwn ? t('You can’t suspend yourself.') : undefined}
        busy={change.isBusy}
        onSuspend={() =>
          change.run({ kind: 'suspend', params: { id: user.id } }, closeWithToast(t('Suspended {name}.', { name })))
        }
        onRestore={() =>
          change.run({ kind: 'restore', params: { id: user.id } }, closeWithToast(t('Restored {name}.', { name })))
        }
      />
      <DetailsSection user={user} />
      <TokensSection user={user} />
    </DialogFrame>
  )
}

/** Describes the current role and what confirming changes. */
const describeRoleChange = (current: Role, next: Role) =>
  next === 'NEPTUNE_ADMIN'
    ? t('Current role: {role}. Update Role makes them an Admin and signs them out everywhere.', { role: t(roleNames[current]) })
    : t('Current role: {role}. Update Role makes them a User and signs them out everywhere.', { role: t(roleNames[current]) })

interface AccessProps {
  user: UserRow
  disabledReason: string | undefined
  busy: boolean
  onSuspend: () => void
  onRestore: () => void
}

function AccessSection({ user, disabledReason, busy, onSuspend, onRestore }: AccessProps) {
  const id = useId()
  const isSuspended = user.suspended_at !== null
  return (
    <div className={c('access')}>
      <p id={id}>
        {isSuspended
          ? t('They can’t sign in, and their links are paused. Restore them to undo both.')
          : t('Suspending them signs them out, blocks sign-in and pauses their links.')}
      </p>
      <Button
        aria-describedby={id}
        disabledReason={disabledReason ?? (busy ? t('Wait a moment.') : undefined)}
        onClick={isSuspended ? onRestore : onSuspend}
      >
        {isSuspended ? t('Restore (a user)') : t('Suspend')}
      </Button>
    </div>
  )
}

function DetailsSection({ user }: { user: UserRow }) {
  const id = useId()
  const open = useDialog()
  return (
    <div className={c('access')}>
      <p id={id}>{t('Their name and the email address they sign in with.')}</p>
      <Button aria-describedby={id} onClick={() => open({ kind: 'edit-details', user })}>
        {t('Edit details')}
      </Button>
    </div>
  )
}

function TokensSection({ user }: { user: UserRow }) {
  const id = useId()
  const open = useDialog()
  return (
    <div className={c('access')}>
      <p id={id}>{t('Tokens that let scripts act as this user.')}</p>
      <Button aria-describedby={id} onClick={() => open({ kind: 'user-tokens', user })}>
        {t('API tokens')}
      </Button>
    </div>
  )
}
