import { type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { ErrorBoundary } from '../lib/page/error-boundary.tsx'
import { type Dialog, DialogContext } from '../screens/shared/dialogs/dialog.ts'
import { DialogFailed } from '../screens/shared/dialogs/dialog-failed.tsx'
import { AnyDialog } from './dialog-components.tsx'

/**
 * Shows one dialog at a time over the page that opened it, except for “Create company”, which can open on top of the dialog that needs
 * the company. Navigation closes them.
 */
export function DialogHost({ children }: { children: ReactNode }) {
  const [dialogs, setDialogs] = useState<readonly Dialog[]>([])
  const { pathname } = useLocation()
  const open = useCallback(
    (dialog: Dialog) => setDialogs((current) => (opensOnTop(dialog) ? [...current, dialog] : [dialog])),
    [],
  )
  // Closes only this dialog: an action that finishes late must not close a dialog opened since.
  const close = (dialog: Dialog) => setDialogs((current) => current.filter((other) => other !== dialog))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs when the path changes.
  useEffect(() => setDialogs([]), [pathname])
  return (
    <DialogContext value={open}>
      {children}
      {dialogs.map((dialog, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a dialog keeps its level.
        <ErrorBoundary key={index} fallback={() => <DialogFailed onClose={() => close(dialog)} />}>
          <Suspense>
            <AnyDialog dialog={dialog} onClose={() => close(dialog)} />
          </Suspense>
        </ErrorBoundary>
      ))}
    </DialogContext>
  )
}

const opensOnTop = (dialog: Dialog) => dialog.kind === 'create-company' && dialog.onCreated !== undefined
