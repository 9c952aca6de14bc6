import type { UserRow } from '@neptune/contract'
import { useLocation, useNavigate } from 'react-router'
import { describeFailure } from '../../../api/form-errors.ts'
import { useToast } from '../../../components/feedback/toast.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { useRevokeInvitation } from '../../../features/user/user-queries.ts'
import { t } from '../../../i18n/t.ts'
import { paths } from '../../../paths.ts'

export function RevokeInvitationDialog({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const { id, name } = user
  const revoke = useRevokeInvitation()
  const toast = useToast()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const confirm = () =>
    revoke.run(id, {
      onSuccess: () => {
        toast({ message: t('Revoked the invitation for {name}.', { name }) })
        onClose()
        if (pathname === paths.user(id)) void navigate(paths.clients)
      },
    })
  return (
    <DialogFrame
      title={t('Revoke invitation')}
      description={t('Their invitation link stops working, and {name} is removed. You can invite them again.', { name })}
      confirmLabel={t('Revoke invitation')}
      danger
      action={revoke}
      error={describeFailure(revoke.error, t('The invitation was not revoked.'))}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}
