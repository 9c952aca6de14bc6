import { lazy, Suspense } from 'react'
import { settleConfirmation, useIsConfirmationRequested } from '../../../api/confirmation.ts'
import { ErrorBoundary } from '../../../lib/page/error-boundary.tsx'
import { DialogFailed } from './dialog-failed.tsx'

const ConfirmIdentityDialog = lazy(() =>
  import('../../../features/factor/confirm-identity-dialog.tsx').then((module) => ({ default: module.ConfirmIdentityDialog })),
)
const ConfirmWithPasskey = lazy(() =>
  import('../../../features/passkey/confirm-with-passkey.tsx').then((module) => ({ default: module.ConfirmWithPasskey })),
)

/** Shows the dialog that a sensitive call waits for, on top of the page or dialog that made the call. */
export function ConfirmationHost() {
  const isRequested = useIsConfirmationRequested()
  if (!isRequested) return null
  return (
    <ErrorBoundary fallback={() => <DialogFailed onClose={() => settleConfirmation(false)} />}>
      <Suspense>
        <ConfirmIdentityDialog onDone={settleConfirmation}>
          <ConfirmWithPasskey onDone={settleConfirmation} />
        </ConfirmIdentityDialog>
      </Suspense>
    </ErrorBoundary>
  )
}
