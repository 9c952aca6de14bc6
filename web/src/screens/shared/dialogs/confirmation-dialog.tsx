import { useQuery } from '@tanstack/react-query'
import { ConfirmIdentityDialog } from '../../../features/factor/confirm-identity-dialog.tsx'
import { usePasswordState } from '../../../features/factor/factor-queries.ts'
import { ConfirmWithPasskey } from '../../../features/passkey/confirm-with-passkey.tsx'
import { ConfirmWithProvider, hasUsableAccount } from '../../../features/provider/confirm-with-provider.tsx'
import { providerAccountsQuery } from '../../../features/provider/provider-queries.ts'

/** Offers all ways in which the user can confirm their identity. Shown once these are loaded, so that nothing moves. */
export function ConfirmationDialog({ onDone }: { onDone: (isConfirmed: boolean) => void }) {
  const password = usePasswordState()
  const accounts = useQuery(providerAccountsQuery())
  if (password === undefined || accounts.isPending) return null
  const hasPassword = password === 'set'
  return (
    <ConfirmIdentityDialog hasPassword={hasPassword} onDone={onDone}>
      <ConfirmWithPasskey onDone={onDone} />
      {accounts.data && hasUsableAccount(accounts.data) && (
        <ConfirmWithProvider accounts={accounts.data} isAlternative={hasPassword} onConfirmed={() => onDone(true)} />
      )}
    </ConfirmIdentityDialog>
  )
}
