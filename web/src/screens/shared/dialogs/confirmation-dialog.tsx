import { useQuery } from '@tanstack/react-query'
import { ConfirmIdentityDialog } from '../../../features/factor/confirm-identity-dialog.tsx'
import { ConfirmWithPasskey } from '../../../features/passkey/confirm-with-passkey.tsx'
import { ConfirmWithProvider, hasUsableAccount } from '../../../features/provider/confirm-with-provider.tsx'
import { providerAccountsQuery, signInOptionsQuery } from '../../../features/provider/provider-queries.ts'

/** All ways in which someone can prove who they are. Shown when these are known, so that nothing moves. */
export function ConfirmationDialog({ onDone }: { onDone: (isConfirmed: boolean) => void }) {
  const options = useQuery(signInOptionsQuery())
  const accounts = useQuery(providerAccountsQuery())
  if (options.isPending || accounts.isPending) return null
  const allowsPassword = options.data?.password !== false
  return (
    <ConfirmIdentityDialog allowsPassword={allowsPassword} onDone={onDone}>
      <ConfirmWithPasskey onDone={onDone} />
      {accounts.data && hasUsableAccount(accounts.data) && (
        <ConfirmWithProvider accounts={accounts.data} isAlternative={allowsPassword} onConfirmed={() => onDone(true)} />
      )}
    </ConfirmIdentityDialog>
  )
}
