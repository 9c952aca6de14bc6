import { lazy, Suspense } from 'react'
import { settleConfirmation, useIsConfirmationRequested } from '../../../api/confirmation.ts'
import { ErrorBoundary } from '../../../lib/page/error-boundary.tsx'
import { DialogFailed } from './dialog-failed.tsx'

const ConfirmationDialog = lazy(() =>
  import('./confirmation-dialog.tsx').then((module) => ({ default: module.ConfirmationDialog })),
)

/** Shows the dialog that a sensitive call waits for, on top of the page or dialog that made the call. */
export function ConfirmationHost() {
  const isRequested = useIsConfirmationRequested()
  if (!isRequested) return null
  return (
    <ErrorBoundary fallback={() => <DialogFailed onClose={() => settleConfirmation(false)} />}>
      <Suspense>
        <ConfirmationDialog onDone={settleConfirmation} />
      </Suspense>
    </ErrorBoundary>
  )
}
