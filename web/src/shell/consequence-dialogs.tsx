import { lazy } from 'react'
import type { Dialog } from '../screens/shared/dialogs/dialog.ts'

const DeleteFilesDialog = lazy(() =>
  import('../screens/shared/dialogs/delete-dialogs.tsx').then((module) => ({ default: module.DeleteFilesDialog })),
)
const DeleteDirectoryDialog = lazy(() =>
  import('../screens/shared/dialogs/delete-dialogs.tsx').then((module) => ({ default: module.DeleteDirectoryDialog })),
)
const SuspendUserDialog = lazy(() =>
  import('../screens/people/suspend-user-dialog.tsx').then((module) => ({ default: module.SuspendUserDialog })),
)
const HandOverDialog = lazy(() =>
  import('../screens/links/hand-over-dialog.tsx').then((module) => ({ default: module.HandOverDialog })),
)

type ConsequenceKind = 'delete-files' | 'delete-directory' | 'suspend-user' | 'hand-over-link'

interface ConsequenceDialogProps {
  dialog: Extract<Dialog, { kind: ConsequenceKind }>
  onClose: () => void
}

/** The dialogs that name the links which stop working, and the one that hands a link over. */
export function ConsequenceDialog({ dialog, onClose }: ConsequenceDialogProps) {
  switch (dialog.kind) {
    case 'delete-files':
      return <DeleteFilesDialog files={dialog.files} onClose={onClose} />
    case 'delete-directory':
      return <DeleteDirectoryDialog directory={dialog.directory} onClose={onClose} />
    case 'suspend-user':
      return <SuspendUserDialog user={dialog.user} onClose={onClose} />
    case 'hand-over-link':
      return <HandOverDialog link={dialog.link} onClose={onClose} />
  }
}
