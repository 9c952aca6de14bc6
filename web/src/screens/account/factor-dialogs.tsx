import { describeFailure } from '../../api/form-errors.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { useRemoveTotp, useRenewCodes } from '../../features/factor/factor-queries.ts'
import { t } from '../../i18n/t.ts'
import { RecoveryCodesDialog } from '../shared/factors/recovery-codes-dialog.tsx'

interface DialogProps {
  onClose: () => void
}

export function RemoveAppDialog({ onClose }: DialogProps) {
  const remove = useRemoveTotp()
  const toast = useToast()
  const confirm = () =>
    remove.run(undefined, {
      onSuccess() {
        toast({ message: t('Removed your authenticator app.') })
        onClose()
      },
    })
  return (
    <DialogFrame
      title={t('Remove the authenticator app?')}
      description={t(
        'Its codes no longer work. If you have no other second factor, you’ll sign in without one, and your recovery codes stop working.',
      )}
      confirmLabel={t('Remove app')}
      danger
      action={remove}
      error={describeFailure(remove.error, t('The authenticator app was not removed.'))}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}

export function RenewCodesDialog({ onClose }: DialogProps) {
  const renew = useRenewCodes()
  if (renew.result) return <RecoveryCodesDialog codes={renew.result.data.recovery_codes} onClose={onClose} />
  return (
    <DialogFrame
      title={t('Create new recovery codes?')}
      description={t('You’ll get ten new codes. Your current ones will stop working.')}
      confirmLabel={t('Create new codes')}
      action={renew}
      error={describeFailure(renew.error, t('The codes were not created.'))}
      onConfirm={() => renew.run(undefined)}
      onClose={onClose}
    />
  )
}
