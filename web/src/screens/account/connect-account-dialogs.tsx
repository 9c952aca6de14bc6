import type { ProviderAccount } from '@neptune/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { describeFailure } from '../../api/form-errors.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { useAction } from '../../components/form/use-action.ts'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { connectAccount } from '../../features/provider/pending-sign-in.ts'
import { pendingQuery, providerAccountsQuery, useDisconnectAccount } from '../../features/provider/provider-queries.ts'
import { t } from '../../i18n/t.ts'

/** Asks before the account that the user has just chosen at a provider is connected. */
export function ConnectAccountDialog({ onClose }: { onClose: () => void }) {
  const pending = useQuery(pendingQuery())
  const queries = useQueryClient()
  const toast = useToast()
  const connect = useAction(connectAccount, {
    refresh: () => queries.invalidateQueries({ queryKey: providerAccountsQuery().queryKey }),
  })
  if (pending.isPending) return null
  const account = pending.data?.needs === 'own' ? pending.data : undefined
  const name = account?.provider?.name ?? ''
  if (!account) {
    return (
      <DialogFrame
        title={t('Nothing was connected.')}
        description={t('This took too long, or began in another browser. Connect the account again.')}
        confirmLabel={t('Close')}
        onClose={onClose}
      />
    )
  }
  return (
    <DialogFrame
      title={t('Connect your account?')}
      description={
        account.email
          ? t('From now on, you can sign in here with {email} at {name}.', { email: account.email, name })
          : t('From now on, you can sign in here with your account at {name}.', { name })
      }
      confirmLabel={t('Connect')}
      action={connect}
      error={describeFailure(connect.error, t('Nothing was connected.'))}
      onConfirm={() =>
        connect.run(undefined, {
          onSuccess() {
            toast({ message: t('Connected your account at {name}.', { name }) })
            onClose()
          },
        })
      }
      onClose={onClose}
    />
  )
}

export function DisconnectAccountDialog({ account, onClose }: { account: ProviderAccount; onClose: () => void }) {
  const disconnect = useDisconnectAccount()
  const toast = useToast()
  const name = account.provider?.name ?? account.issuer
  return (
    <DialogFrame
      title={t('Disconnect the account?')}
      description={t('You’ll no longer be able to sign in here with {name}. Your account at {name} isn’t deleted.', { name })}
      confirmLabel={t('Disconnect')}
      danger
      action={disconnect}
      error={describeFailure(disconnect.error, t('The account is still connected.'))}
      onConfirm={() =>
        disconnect.run(account.id, {
          onSuccess() {
            toast({ message: t('Disconnected your account at {name}.', { name }) })
            onClose()
          },
        })
      }
      onClose={onClose}
    />
  )
}
