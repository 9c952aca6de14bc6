import type { UserRow } from '@neptune/contract'
import { describeFailure } from '../../../api/form-errors.ts'
import { useToast } from '../../../components/feedback/toast.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { useEndAllSessions } from '../../../features/identity/session-queries.ts'
import { t } from '../../../i18n/t.ts'

/** Signs another user out everywhere. */
export function EndSessionsDialog({ user: { id, name }, onClose }: { user: UserRow; onClose: () => void }) {
  const end = useEndAllSessions()
  const toast = useToast()
  const confirm = () =>
    end.run(id, {
      onSuccess: () => {
        toast({ message: t('Signed {name} out everywhere.', { name }) })
        onClose()
      },
    })
  return (
    <DialogFrame
      title={t('Sign out everywhere')}
      description={t('{name} is signed out of every browser, and their API tokens are revoked. They can sign in again.', {
        name,
      })}
      confirmLabel={t('Sign out everywhere')}
      danger
      action={end}
      error={describeFailure(end.error, t('The user was not signed out.'))}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}
