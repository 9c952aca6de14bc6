import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { DialogFrame } from '../components/dialog-frame.tsx'
import { ErrorBoundary } from '../lib/error-boundary.tsx'
import { type Dialog, DialogContext } from './dialog.ts'

const CreateUserDialog = lazy(() => import('./create-user-dialog.tsx').then((module) => ({ default: module.CreateUserDialog })))
const UpdateUserDialog = lazy(() => import('./update-user-dialog.tsx').then((module) => ({ default: module.UpdateUserDialog })))
const CreateCompanyDialog = lazy(() =>
  import('./create-company-dialog.tsx').then((module) => ({ default: module.CreateCompanyDialog })),
)
const SendTestMailDialog = lazy(() =>
  import('./send-test-mail-dialog.tsx').then((module) => ({ default: module.SendTestMailDialog })),
)

/** Shows the dialog that was asked for, one at a time, over the page that asked; it leaves with that page. */
export function DialogHost({ children }: { children: ReactNode }) {
  const [dialog, setDialog] = useState<Dialog>()
  const { pathname } = useLocation()
  const close = () => setDialog(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is not used, its change is what counts.
  useEffect(close, [pathname])
  return (
    <DialogContext value={setDialog}>
      {children}
      {dialog && (
        <ErrorBoundary fallback={() => <DialogFailed onClose={close} />}>
          <Suspense>
            <Switch dialog={dialog} onClose={close} />
          </Suspense>
        </ErrorBoundary>
      )}
    </DialogContext>
  )
}

function Switch({ dialog, onClose }: { dialog: Dialog; onClose: () => void }) {
  switch (dialog.kind) {
    case 'create-user':
      return <CreateUserDialog onClose={onClose} />
    case 'update-user':
      return <UpdateUserDialog user={dialog.user} onClose={onClose} />
    case 'create-company':
      return <CreateCompanyDialog onClose={onClose} />
    case 'send-test-mail':
      return <SendTestMailDialog onClose={onClose} />
  }
}

/** Browsers remember that a script failed, so only a fresh page can try again. */
const DialogFailed = ({ onClose }: { onClose: () => void }) => (
  <DialogFrame
    title="This dialog did not load."
    description="Check your connection, then reload the page."
    confirmLabel="Reload"
    onConfirm={() => location.reload()}
    onClose={onClose}
  />
)
