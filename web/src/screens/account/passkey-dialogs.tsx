import type { PasskeyRow } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { describeFailure } from '../../api/form-errors.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { factorsQuery } from '../../features/factor/factor-queries.ts'
import { useRemovePasskey, useRenamePasskey } from '../../features/passkey/passkey-queries.ts'
import { t } from '../../i18n/t.ts'
import { shortenName } from '../../lib/shorten-name.ts'
import { RenameDialog } from '../shared/dialogs/rename-dialog.tsx'

interface DialogProps {
  passkey: PasskeyRow
  onClose: () => void
}

export function RenamePasskeyDialog({ passkey: { id, name }, onClose }: DialogProps) {
  const rename = useRenamePasskey()
  return (
    <RenameDialog
      title={t('Rename passkey')}
      field="name"
      name={name}
      selectedLength={name.length}
      change={rename}
      onRename={(newName, onRenamed) => rename.run({ id, name: newName }, { onSuccess: ({ data }) => onRenamed(data.name) })}
      onClose={onClose}
    />
  )
}

interface RemovePasskeyDialogProps extends DialogProps {
  /** Whether no other passkey works. */
  isLastPasskey: boolean
}

export function RemovePasskeyDialog({ passkey: { id, name }, isLastPasskey, onClose }: RemovePasskeyDialogProps) {
  const remove = useRemovePasskey()
  const factors = useQuery(factorsQuery()).data
  const toast = useToast()
  const confirm = () =>
    remove.run(id, {
      onSuccess() {
        toast({ message: t('Removed the passkey “{name}”.', { name: shortenName(name) }) })
        onClose()
      },
    })
  return (
    <DialogFrame
      title={t('Remove the passkey “{name}”?', { name: shortenName(name) })}
      description={
        isLastPasskey && factors?.totp_since === null
          ? t(
              'You can no longer sign in with it. It is your last second factor: after that, you’ll sign in without one, and your recovery codes stop working.',
            )
          : t(
              'You won’t be able to sign in with it. It stays on your device or in your password manager until you delete it there.',
            )
      }
      confirmLabel={t('Remove passkey')}
      danger
      action={remove}
      error={describeFailure(remove.error, t('The passkey was not removed.'))}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}
