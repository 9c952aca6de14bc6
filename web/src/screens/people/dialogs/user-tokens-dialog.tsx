import type { TokenRow, UserRow } from '@neptune/contract'
import { describeFailure } from '../../../api/form-errors.ts'
import { useToast } from '../../../components/feedback/toast.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { TokenList } from '../../../features/token/token-list.tsx'
import { useRevokeToken } from '../../../features/token/token-queries.ts'
import { t } from '../../../i18n/t.ts'
import { useDialog } from '../../shared/dialogs/dialog.ts'

/** Lists another user's tokens, for admins. */
export function UserTokensDialog({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const open = useDialog()
  return (
    <DialogFrame
      title={t('API tokens')}
      description={t('Scripts use these tokens to act as {name}.', { name: user.name })}
      confirmLabel={t('Close')}
      onClose={onClose}
    >
      <TokenList owner={user} onRevoke={(token) => open({ kind: 'revoke-token', token, owner: user, returnsToList: true })} />
    </DialogFrame>
  )
}

interface RevokeTokenDialogProps {
  token: TokenRow
  /** The user who owns the token, if it isn’t the current one. */
  owner?: UserRow | undefined
  /** Whether the dialog returns to that user's tokens. */
  returnsToList?: boolean | undefined
  onClose: () => void
}

export function RevokeTokenDialog({ token: { id, name }, owner, returnsToList, onClose }: RevokeTokenDialogProps) {
  const revoke = useRevokeToken()
  const toast = useToast()
  const open = useDialog()
  const returnOrClose = () => (owner && returnsToList ? open({ kind: 'user-tokens', user: owner }) : onClose())
  const confirm = () =>
    revoke.run(
      { id, owner: owner?.id },
      {
        onSuccess: () => {
          toast({ message: t('Revoked the token “{name}”.', { name }) })
          returnOrClose()
        },
      },
    )
  return (
    <DialogFrame
      title={t('Revoke API token')}
      description={t(
        'Scripts that use “{name}” stop working right away, and their running requests are aborted. You can’t undo this.',
        {
          name,
        },
      )}
      confirmLabel={t('Revoke token')}
      danger
      action={revoke}
      error={describeFailure(revoke.error, t('The token was not revoked.'))}
      onConfirm={confirm}
      onClose={returnOrClose}
    />
  )
}
