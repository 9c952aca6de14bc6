import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { ErrorBoundary } from '../lib/page/error-boundary.tsx'
import { type Dialog, DialogContext } from '../screens/shared/dialogs/dialog.ts'
import { DialogFailed } from '../screens/shared/dialogs/dialog-failed.tsx'
import { ConsequenceDialog } from './consequence-dialogs.tsx'

const FindDialog = lazy(() => import('./find-dialog.tsx').then((module) => ({ default: module.FindDialog })))
const ShortcutsDialog = lazy(() => import('./shortcuts-dialog.tsx').then((module) => ({ default: module.ShortcutsDialog })))
const CreateUserDialog = lazy(() =>
  import('../screens/people/create-user-dialog.tsx').then((module) => ({ default: module.CreateUserDialog })),
)
const UpdateUserDialog = lazy(() =>
  import('../screens/people/update-user-dialog.tsx').then((module) => ({ default: module.UpdateUserDialog })),
)
const EditDetailsDialog = lazy(() =>
  import('../screens/people/edit-details-dialog.tsx').then((module) => ({ default: module.EditDetailsDialog })),
)
const RevokeInvitationDialog = lazy(() =>
  import('../screens/people/revoke-invitation-dialog.tsx').then((module) => ({ default: module.RevokeInvitationDialog })),
)
const CreateCompanyDialog = lazy(() =>
  import('../screens/people/create-company-dialog.tsx').then((module) => ({ default: module.CreateCompanyDialog })),
)
const RenameCompanyDialog = lazy(() =>
  import('../screens/shared/dialogs/rename-dialog.tsx').then((module) => ({ default: module.RenameCompanyDialog })),
)
const SetQuotaDialog = lazy(() =>
  import('../screens/people/set-quota-dialog.tsx').then((module) => ({ default: module.SetQuotaDialog })),
)
const EditNoteDialog = lazy(() =>
  import('../screens/people/edit-note-dialog.tsx').then((module) => ({ default: module.EditNoteDialog })),
)
const ArchiveCompanyDialog = lazy(() =>
  import('../screens/people/archive-company-dialog.tsx').then((module) => ({ default: module.ArchiveCompanyDialog })),
)
const RestoreCompanyDialog = lazy(() =>
  import('../screens/people/archive-company-dialog.tsx').then((module) => ({ default: module.RestoreCompanyDialog })),
)
const SendTestMailDialog = lazy(() =>
  import('../screens/mail/send-test-mail-dialog.tsx').then((module) => ({ default: module.SendTestMailDialog })),
)
const CreateDirectoryDialog = lazy(() =>
  import('../screens/directories/create-directory-dialog.tsx').then((module) => ({ default: module.CreateDirectoryDialog })),
)
const RenameDirectoryDialog = lazy(() =>
  import('../screens/shared/dialogs/rename-dialog.tsx').then((module) => ({ default: module.RenameDirectoryDialog })),
)
const RenameFileDialog = lazy(() =>
  import('../screens/shared/dialogs/rename-dialog.tsx').then((module) => ({ default: module.RenameFileDialog })),
)
const UploadFileDialog = lazy(() =>
  import('../screens/uploads/upload-file-dialog.tsx').then((module) => ({ default: module.UploadFileDialog })),
)
const UploadClashDialog = lazy(() =>
  import('../screens/uploads/upload-clash-dialog.tsx').then((module) => ({ default: module.UploadClashDialog })),
)
const CancelUploadDialog = lazy(() =>
  import('../screens/uploads/cancel-upload-dialog.tsx').then((module) => ({ default: module.CancelUploadDialog })),
)
const CreateLinkDialog = lazy(() =>
  import('../screens/links/create-link-dialog.tsx').then((module) => ({ default: module.CreateLinkDialog })),
)
const ResetLinkDialog = lazy(() =>
  import('../screens/links/reset-link-dialog.tsx').then((module) => ({ default: module.ResetLinkDialog })),
)
const SendLinkDialog = lazy(() =>
  import('../screens/links/send-link-dialog.tsx').then((module) => ({ default: module.SendLinkDialog })),
)
const DeleteLinksDialog = lazy(() =>
  import('../screens/links/delete-links-dialog.tsx').then((module) => ({ default: module.DeleteLinksDialog })),
)
const LinkActivityDialog = lazy(() =>
  import('../screens/links/link-activity-dialog.tsx').then((module) => ({ default: module.LinkActivityDialog })),
)
const CreateTokenDialog = lazy(() =>
  import('../screens/account/create-token-dialog.tsx').then((module) => ({ default: module.CreateTokenDialog })),
)
const RevokeTokenDialog = lazy(() =>
  import('../screens/people/user-tokens-dialog.tsx').then((module) => ({ default: module.RevokeTokenDialog })),
)
const UserTokensDialog = lazy(() =>
  import('../screens/people/user-tokens-dialog.tsx').then((module) => ({ default: module.UserTokensDialog })),
)
const RemoveUserDialog = lazy(() =>
  import('../screens/people/remove-user-dialog.tsx').then((module) => ({ default: module.RemoveUserDialog })),
)
const EndSessionsDialog = lazy(() =>
  import('../screens/people/end-sessions-dialog.tsx').then((module) => ({ default: module.EndSessionsDialog })),
)
const CreateWebhookDialog = lazy(() =>
  import('../screens/webhooks/webhook-dialogs.tsx').then((module) => ({ default: module.CreateWebhookDialog })),
)
const EditWebhookDialog = lazy(() =>
  import('../screens/webhooks/webhook-dialogs.tsx').then((module) => ({ default: module.EditWebhookDialog })),
)
const DeleteWebhookDialog = lazy(() =>
  import('../screens/webhooks/delete-webhook-dialog.tsx').then((module) => ({ default: module.DeleteWebhookDialog })),
)
const DeliveriesDialog = lazy(() =>
  import('../screens/webhooks/deliveries-dialog.tsx').then((module) => ({ default: module.DeliveriesDialog })),
)

/**
 * Shows one dialog at a time over the page that opened it, except for “Create company”, which can open on top of the dialog that needs
 * the company. Navigation closes them.
 */
export function DialogHost({ children }: { children: ReactNode }) {
  const [dialogs, setDialogs] = useState<readonly Dialog[]>([])
  const { pathname } = useLocation()
  const open = useCallback((dialog: Dialog) => setDialogs((current) => (isOnTop(dialog) ? [...current, dialog] : [dialog])), [])
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
            <DialogSwitch dialog={dialog} onClose={() => close(dialog)} />
          </Suspense>
        </ErrorBoundary>
      ))}
    </DialogContext>
  )
}

const isOnTop = (dialog: Dialog) => dialog.kind === 'create-company' && dialog.onCreated !== undefined

function DialogSwitch({ dialog, onClose }: { dialog: Dialog; onClose: () => void }) {
  switch (dialog.kind) {
    case 'find':
      return <FindDialog pages={dialog.pages} menu={dialog.menu} onClose={onClose} />
    case 'keys':
      return <ShortcutsDialog onClose={onClose} />
    case 'create-user':
      return <CreateUserDialog onClose={onClose} />
    case 'update-user':
      return <UpdateUserDialog user={dialog.user} onClose={onClose} />
    case 'edit-details':
      return <EditDetailsDialog user={dialog.user} onClose={onClose} />
    case 'revoke-invitation':
      return <RevokeInvitationDialog user={dialog.user} onClose={onClose} />
    case 'create-company':
    case 'rename-company':
    case 'set-quota':
    case 'edit-note':
    case 'archive-company':
    case 'restore-company':
      return <CompanyDialogSwitch dialog={dialog} onClose={onClose} />
    case 'send-test-mail':
      return <SendTestMailDialog way={dialog.way} onClose={onClose} />
    case 'create-directory':
      return <CreateDirectoryDialog company={dialog.company} onCreated={dialog.onCreated} onClose={onClose} />
    case 'rename-directory':
      return <RenameDirectoryDialog directory={dialog.directory} onClose={onClose} />
    case 'rename-file':
      return <RenameFileDialog file={dialog.file} onClose={onClose} />
    case 'upload-file':
      return <UploadFileDialog company={dialog.company} directory={dialog.directory} files={dialog.files} onClose={onClose} />
    case 'upload-clash':
      return <UploadClashDialog files={dialog.files} target={dialog.target} clashes={dialog.clashes} onClose={onClose} />
    case 'cancel-upload':
      return <CancelUploadDialog upload={dialog.upload} onClose={onClose} />
    case 'create-link':
      return <CreateLinkDialog company={dialog.company} directory={dialog.directory} file={dialog.file} onClose={onClose} />
    case 'reset-link':
      return <ResetLinkDialog link={dialog.link} onClose={onClose} />
    case 'send-link':
      return <SendLinkDialog link={dialog.link} accessCode={dialog.accessCode} onClose={onClose} />
    case 'delete-links':
      return <DeleteLinksDialog links={dialog.links} onClose={onClose} />
    case 'link-activity':
      return <LinkActivityDialog link={dialog.link} onClose={onClose} />
    case 'create-token':
      return <CreateTokenDialog onClose={onClose} />
    case 'revoke-token':
      return <RevokeTokenDialog {...dialog} onClose={onClose} />
    case 'user-tokens':
      return <UserTokensDialog user={dialog.user} onClose={onClose} />
    case 'remove-user':
      return <RemoveUserDialog user={dialog.user} onClose={onClose} />
    case 'end-sessions':
      return <EndSessionsDialog user={dialog.user} onClose={onClose} />
    case 'create-webhook':
      return <CreateWebhookDialog company={dialog.company} onClose={onClose} />
    case 'edit-webhook':
      return <EditWebhookDialog webhook={dialog.webhook} onClose={onClose} />
    case 'delete-webhook':
      return <DeleteWebhookDialog webhook={dialog.webhook} onClose={onClose} />
    case 'deliveries':
      return <DeliveriesDialog webhook={dialog.webhook} onClose={onClose} />
    default:
      return <ConsequenceDialog dialog={dialog} onClose={onClose} />
  }
}

type CompanyDialog = Extract<Dialog, { kind: `${string}-company` | 'set-quota' | 'edit-note' }>

function CompanyDialogSwitch({ dialog, onClose }: { dialog: CompanyDialog; onClose: () => void }) {
  switch (dialog.kind) {
    case 'create-company':
      return <CreateCompanyDialog onCreated={dialog.onCreated} onClose={onClose} />
    case 'rename-company':
      return <RenameCompanyDialog company={dialog.company} onClose={onClose} />
    case 'set-quota':
      return <SetQuotaDialog company={dialog.company} onClose={onClose} />
    case 'edit-note':
      return <EditNoteDialog company={dialog.company} onClose={onClose} />
    case 'archive-company':
      return <ArchiveCompanyDialog company={dialog.company} onClose={onClose} />
    case 'restore-company':
      return <RestoreCompanyDialog company={dialog.company} onClose={onClose} />
  }
}
