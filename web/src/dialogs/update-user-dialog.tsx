import type { Role, UserRow } from '@neptune/contract'
import { useId, useState } from 'react'
import { useSession } from '../api/session.ts'
import { Button } from '../components/button.tsx'
import { classNames } from '../components/class-names.ts'
import { DialogFrame } from '../components/dialog-frame.tsx'
import { SelectField } from '../components/field.tsx'
import { useToast } from '../components/toast.tsx'
import { roleNames, roleOptions } from '../features/user/roles.ts'
import { useChangeRole, useRestoreUser, useSuspendUser } from '../features/user/user-queries.ts'
import { problemOf } from './form-problem.ts'
import css from './update-user-dialog.module.css'

const c = classNames(css)

export function UpdateUserDialog({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const { name, email } = user
  const session = useSession()
  const isOwn = session.kind === 'signed-in' && session.info.id === user.id
  const [role, setRole] = useState<Role>(isOwn ? user.role : 'NEPTUNE_USER')
  const held = isOwn
    ? 'Nobody changes their own role.'
    : role === user.role
      ? `Already ${roleNames[role]}: nothing would change.`
      : undefined
  const changeRole = useChangeRole()
  const suspend = useSuspendUser()
  const restore = useRestoreUser()
  const toast = useToast()

  const changes = [changeRole, suspend, restore]
  const busy = changes.some(({ isPending }) => isPending)
  const failure = changes.find(({ isError }) => isError)?.error
  /** What is done next forgets how the last try went, and what to do once it is done. */
  const start = (message: string) => {
    for (const change of changes) change.reset()
    return {
      onSuccess: () => {
        toast({ message })
        onClose()
      },
    }
  }

  return (
    <DialogFrame
      title="Update User"
      description={
        <>
          <strong className={c('name')}>{name}</strong> {email}
        </>
      }
      confirmLabel="Update Role"
      confirmDisabledReason={held}
      busy={busy}
      error={failure ? problemOf(failure, 'The user was not changed.').error : undefined}
      onConfirm={() => changeRole.mutate({ email, role }, start(`${name} has the role ${roleNames[role]}.`))}
      onClose={onClose}
    >
      <SelectField
        label="Role"
        name="role"
        options={roleOptions}
        value={role}
        disabled={isOwn}
        onChange={({ target }) => setRole(target.value as Role)}
        hint={held ?? <span className={c('effect')}>{effect(user.role, role)}</span>}
      />
      <Access
        user={user}
        disabledReason={isOwn ? 'Nobody suspends themselves.' : undefined}
        busy={busy}
        onSuspend={() => suspend.mutate(user.id, start(`Suspended ${name}.`))}
        onRestore={() => restore.mutate(user.id, start(`Restored ${name}.`))}
      />
    </DialogFrame>
  )
}

/** What is, and what the button makes of it: its first choice would take the role away from an admin. */
const effect = (now: Role, next: Role) =>
  `Now ${roleNames[now]}. Update Role makes them ${next === 'NEPTUNE_ADMIN' ? 'an' : 'a'} ${roleNames[next]} and signs them out everywhere.`

interface AccessProps {
  user: UserRow
  disabledReason: string | undefined
  busy: boolean
  onSuspend: () => void
  onRestore: () => void
}

function Access({ user, disabledReason, busy, onSuspend, onRestore }: AccessProps) {
  const id = useId()
  const isSuspended = user.suspended_at !== null
  return (
    <div className={c('access')}>
      <p id={id}>
        {isSuspended ? 'They cannot sign in. Restoring lets them in again.' : 'Suspending signs them out and keeps them out.'}
      </p>
      <Button
        aria-describedby={id}
        disabledReason={disabledReason ?? (busy ? 'Wait a moment.' : undefined)}
        onClick={isSuspended ? onRestore : onSuspend}
      >
        {isSuspended ? 'Restore' : 'Suspend'}
      </Button>
    </div>
  )
}
