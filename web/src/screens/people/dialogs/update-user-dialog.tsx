import type { InvitationLink, Role, Successor, UserRow } from '@neptune/contract'
import { type ComponentProps, useId, useState } from 'react'
import { useSession } from '../../../api/session.ts'
import { useForm } from '../../../api/use-form.ts'
import { classNames } from '../../../components/class-names.ts'
import { useToast } from '../../../components/feedback/toast.tsx'
import { Button } from '../../../components/form/button.tsx'
import { SelectField } from '../../../components/form/field.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { getRoleOptions, roleNames } from '../../../features/user/roles.ts'
import { useChangeRights } from '../../../features/user/user-queries.ts'
import { t } from '../../../i18n/t.ts'
import { useDialog } from '../../shared/dialogs/dialog.ts'
import { type AccessDraft, AccessFields, validateAccess } from '../access-fields.tsx'
import { InvitationSection } from '../invitation-section.tsx'
import { describeHandOver } from '../owned-links-fields.tsx'
import { getSavedAccess, useAccessDraft } from '../use-access-draft.ts'
import { emptyLostLinks, type LostLinksDraft, useLostLinks } from '../use-lost-links.tsx'
import { InvitationLinkDialog } from './invitation-link-dialog.tsx'
import css from './update-user-dialog.module.css'

const c = classNames(css)

interface Draft extends AccessDraft, LostLinksDraft {
  role: Role
}

export function UpdateUserDialog({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const { id, name, email } = user
  const session = useSession()
  const isOwn = session.kind === 'signed-in' && session.info.id === id
  const change = useChangeRights()
  const toast = useToast()
  const open = useDialog()
  /** Returns callbacks that close the dialog and show the message. */
  const closeWithToast = (message: string, successor?: Successor) => ({
    onSuccess: (links: number) => {
      toast({ message: `${message}${describeHandOver(links, successor)}` })
      onClose()
    },
  })
  const form = useForm<Draft>({
    // Starts with the current role, so that confirming by accident changes nothing. A missing role counts as User.
    initial: { role: user.role || 'NEPTUNE_USER', access: getSavedAccess(user), companies: undefined, ...emptyLostLinks },
    action: change,
    failureTitle: t('The user was not changed.'),
    fieldByCode: { 'user.no_access': 'successor' },
    validate: (draft) => ({
      ...(saved.change && validateAccess(draft.access, saved.selected)),
      ...lostLinks.validate(draft),
    }),
    submit: (draft) => {
      const { role } = draft
      const newRole = role === user.role ? undefined : { email, role }
      const message = newRole
        ? t('{name} now has the role {role}.', { name, role: t(roleNames[role]) })
        : t('Saved the access of {name}.', { name })
      const update = { role: newRole, access: saved.change, handOver: lostLinks.getHandOver(draft) }
      change.run({ kind: 'update', id, ...update }, closeWithToast(message, draft.successor))
    },
  })
  const saved = useAccessDraft(user, form.draft)
  const lostLinks = useLostLinks(user, saved.reduced)
  const [link, setLink] = useState<InvitationLink>()
  /** Why the other buttons are disabled: they would discard the changed access. */
  const pendingReason = saved.change && t('Save or discard the changed access first.')

  if (link) return <InvitationLinkDialog name={name} link={link} onClose={onClose} />
  return (
    <DialogFrame
      title={t('Update User')}
      description={
        <>
          <strong className={c('name')}>{name}</strong> {email}
        </>
      }
      confirmLabel={t('Update Role')}
      confirmDisabledReason={
        lostLinks.pendingReason ?? (saved.change ? undefined : getDisabledReason(user, form.draft.role, isOwn))
      }
      {...form.dialog}
      dirty={saved.change !== undefined}
      onClose={onClose}
    >
      <RoleField user={user} isOwn={isOwn} {...form.field('role')} role={form.draft.role} />
      <AccessFields
        role={form.draft.role}
        draft={{ access: form.draft.access, companies: form.draft.companies }}
        {...saved.fields}
        error={form.errors['companies']}
        onChange={form.change}
      >
        {saved.change && <p>{t('Update Role saves the access, too. It takes effect right away.')}</p>}
      </AccessFields>
      {lostLinks.render(form.draft, form)}
      {user.invitation_ends_at && (
        <div className={c('part')}>
          <InvitationSection user={user} disabledReason={pendingReason} onSent={(link) => (link ? setLink(link) : onClose())} />
        </div>
      )}
      <SuspensionSection
        user={user}
        disabledReason={isOwn ? t('You can’t suspend yourself.') : pendingReason}
        busy={change.isBusy}
        onSuspend={() => open({ kind: 'suspend-user', user })}
        onRestore={() => change.run({ kind: 'restore', id }, closeWithToast(t('Restored {name}.', { name })))}
      />
      <DetailsSection user={user} disabledReason={pendingReason} />
      <TokensSection user={user} disabledReason={pendingReason} />
    </DialogFrame>
  )
}

type RoleFieldProps = Omit<ComponentProps<typeof SelectField>, 'label' | 'options' | 'hint' | 'role'> & {
  user: UserRow
  isOwn: boolean
  role: Role
}

function RoleField({ user, isOwn, role, ...select }: RoleFieldProps) {
  const hint = getDisabledReason(user, role, isOwn) ?? <span className={c('effect')}>{describeRoleChange(user.role, role)}</span>
  return <SelectField label={t('Role')} required options={getRoleOptions()} disabled={isOwn} {...select} hint={hint} />
}

/** Returns why the role can’t be changed to this one. */
function getDisabledReason(user: UserRow, role: Role, isOwn: boolean): string | undefined {
  if (isOwn) return t('You can’t change your own role.')
  return role === user.role ? t('They already have the role {role}.', { role: t(roleNames[role]) }) : undefined
}

/** Describes the current role and what confirming changes. */
const describeRoleChange = (current: Role, next: Role) =>
  next === 'NEPTUNE_ADMIN'
    ? t('Current role: {role}. Update Role makes them an Admin and signs them out everywhere.', { role: t(roleNames[current]) })
    : t('Current role: {role}. Update Role makes them a User and signs them out everywhere.', { role: t(roleNames[current]) })

interface SectionProps {
  user: UserRow
  disabledReason: string | undefined
}

interface SuspensionProps extends SectionProps {
  busy: boolean
  onSuspend: () => void
  onRestore: () => void
}

function SuspensionSection({ user, disabledReason, busy, onSuspend, onRestore }: SuspensionProps) {
  const id = useId()
  const isSuspended = user.suspended_at !== null
  return (
    <div className={c('part', 'row')}>
      <p id={id}>{describeSuspension(user)}</p>
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

function describeSuspension({ suspended_at, invitation_ends_at }: UserRow): string {
  if (suspended_at !== null) return t('They can’t sign in, and their links don’t work. Restore them to undo both.')
  return invitation_ends_at
    ? t('Suspending them ends their invitation.')
    : t('Suspending them signs them out and blocks sign-in. Their links stop working.')
}

function DetailsSection({ user, disabledReason }: SectionProps) {
  const id = useId()
  const open = useDialog()
  return (
    <div className={c('part', 'row')}>
      <p id={id}>{t('Their name and email address.')}</p>
      <Button aria-describedby={id} disabledReason={disabledReason} onClick={() => open({ kind: 'edit-details', user })}>
        {t('Edit details')}
      </Button>
    </div>
  )
}

function TokensSection({ user, disabledReason }: SectionProps) {
  const id = useId()
  const open = useDialog()
  return (
    <div className={c('part', 'row')}>
      <p id={id}>{t('Tokens that let scripts act as this user.')}</p>
      <Button aria-describedby={id} disabledReason={disabledReason} onClick={() => open({ kind: 'user-tokens', user })}>
        {t('API tokens')}
      </Button>
    </div>
  )
}
