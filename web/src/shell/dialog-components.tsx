import { type ComponentType, lazy } from 'react'
import type { Dialog } from '../screens/shared/dialogs/dialog.ts'
import { FindDialog } from './find-dialog.tsx'

type DialogOf<Kind extends Dialog['kind']> = Extract<Dialog, { kind: Kind }>

/**
 * Each dialog takes its data as props, and is loaded when it opens for the first time. The finder is loaded with the page, so that keys
 * typed right after its shortcut reach it.
 */
const components: { [Kind in Dialog['kind']]: ComponentType<Omit<DialogOf<Kind>, 'kind'> & { onClose: () => void }> } = {
  find: FindDialog,
  keys: lazy(() => import('./shortcuts-dialog.tsx').then((module) => ({ default: module.ShortcutsDialog }))),
  'create-user': lazy(() =>
    import('../screens/people/dialogs/create-user-dialog.tsx').then((module) => ({ default: module.CreateUserDialog })),
  ),
  'update-user': lazy(() =>
    import('../screens/people/dialogs/update-user-dialog.tsx').then((module) => ({ default: module.UpdateUserDialog })),
  ),
  'change-access': lazy(() =>
    import('../screens/people/dialogs/change-access-dialog.tsx').then((module) => ({ default: module.ChangeAccessDialog })),
  ),
  'reset-password': lazy(() =>
    import('../screens/people/dialogs/reset-password-dialog.tsx').then((module) => ({ default: module.ResetPasswordDialog })),
  ),
  'remove-factor': lazy(() =>
    import('../screens/people/dialogs/remove-factor-dialog.tsx').then((module) => ({ default: module.RemoveFactorDialog })),
  ),
  'edit-details': lazy(() =>
    import('../screens/people/dialogs/edit-details-dialog.tsx').then((module) => ({ default: module.EditDetailsDialog })),
  ),
  'revoke-invitation': lazy(() =>
    import('../screens/people/dialogs/revoke-invitation-dialog.tsx').then((module) => ({
      default: module.RevokeInvitationDialog,
    })),
  ),
  'send-test-mail': lazy(() =>
    import('../screens/mail/send-test-mail-dialog.tsx').then((module) => ({ default: module.SendTestMailDialog })),
  ),
  'create-directory': lazy(() =>
    import('../screens/directories/create-directory-dialog.tsx').then((module) => ({ default: module.CreateDirectoryDialog })),
  ),
  'rename-directory': lazy(() =>
    import('../screens/shared/dialogs/rename-dialog.tsx').then((module) => ({ default: module.RenameDirectoryDialog })),
  ),
  'rename-file': lazy(() =>
    import('../screens/shared/dialogs/rename-dialog.tsx').then((module) => ({ default: module.RenameFileDialog })),
  ),
  'upload-file': lazy(() =>
    import('../screens/uploads/upload-file-dialog.tsx').then((module) => ({ default: module.UploadFileDialog })),
  ),
  'upload-clash': lazy(() =>
    import('../screens/uploads/upload-clash-dialog.tsx').then((module) => ({ default: module.UploadClashDialog })),
  ),
  'cancel-upload': lazy(() =>
    import('../screens/uploads/cancel-upload-dialog.tsx').then((module) => ({ default: module.CancelUploadDialog })),
  ),
  'create-link': lazy(() =>
    import('../screens/links/dialogs/create-link-dialog.tsx').then((module) => ({ default: module.CreateLinkDialog })),
  ),
  share: lazy(() => import('../screens/links/dialogs/share-dialog.tsx').then((module) => ({ default: module.ShareDialog }))),
  shared: lazy(() => import('../screens/links/dialogs/shared-dialog.tsx').then((module) => ({ default: module.SharedDialog }))),
  'reset-link': lazy(() =>
    import('../screens/links/dialogs/reset-link-dialog.tsx').then((module) => ({ default: module.ResetLinkDialog })),
  ),
  'new-code': lazy(() =>
    import('../screens/links/dialogs/new-code-dialog.tsx').then((module) => ({ default: module.NewCodeDialog })),
  ),
  'grant-time': lazy(() =>
    import('../screens/links/dialogs/extend-link-dialog.tsx').then((module) => ({ default: module.GrantTimeDialog })),
  ),
  'extend-link': lazy(() =>
    import('../screens/links/dialogs/extend-link-dialog.tsx').then((module) => ({ default: module.ExtendLinkDialog })),
  ),
  'send-link': lazy(() =>
    import('../screens/links/dialogs/send-link-dialog.tsx').then((module) => ({ default: module.SendLinkDialog })),
  ),
  'delete-links': lazy(() =>
    import('../screens/links/dialogs/delete-links-dialog.tsx').then((module) => ({ default: module.DeleteLinksDialog })),
  ),
  'link-details': lazy(() => import('../screens/links/link-details.tsx').then((module) => ({ default: module.LinkDetails }))),
  'create-token': lazy(() =>
    import('../screens/account/create-token-dialog.tsx').then((module) => ({ default: module.CreateTokenDialog })),
  ),
  'revoke-token': lazy(() =>
    import('../screens/people/dialogs/user-tokens-dialog.tsx').then((module) => ({ default: module.RevokeTokenDialog })),
  ),
  'user-tokens': lazy(() =>
    import('../screens/people/dialogs/user-tokens-dialog.tsx').then((module) => ({ default: module.UserTokensDialog })),
  ),
  'remove-user': lazy(() =>
    import('../screens/people/dialogs/remove-user-dialog.tsx').then((module) => ({ default: module.RemoveUserDialog })),
  ),
  'end-sessions': lazy(() =>
    import('../screens/people/dialogs/end-sessions-dialog.tsx').then((module) => ({ default: module.EndSessionsDialog })),
  ),
  'create-webhook': lazy(() =>
    import('../screens/webhooks/webhook-dialogs.tsx').then((module) => ({ default: module.CreateWebhookDialog })),
  ),
  'edit-webhook': lazy(() =>
    import('../screens/webhooks/webhook-dialogs.tsx').then((module) => ({ default: module.EditWebhookDialog })),
  ),
  'delete-webhook': lazy(() =>
    import('../screens/webhooks/delete-webhook-dialog.tsx').then((module) => ({ default: module.DeleteWebhookDialog })),
  ),
  deliveries: lazy(() =>
    import('../screens/webhooks/deliveries-dialog.tsx').then((module) => ({ default: module.DeliveriesDialog })),
  ),
  'create-company': lazy(() =>
    import('../screens/companies/create-company-dialog.tsx').then((module) => ({ default: module.CreateCompanyDialog })),
  ),
  'rename-company': lazy(() =>
    import('../screens/shared/dialogs/rename-dialog.tsx').then((module) => ({ default: module.RenameCompanyDialog })),
  ),
  'set-quota': lazy(() =>
    import('../screens/companies/set-quota-dialog.tsx').then((module) => ({ default: module.SetQuotaDialog })),
  ),
  'edit-note': lazy(() =>
    import('../screens/companies/edit-note-dialog.tsx').then((module) => ({ default: module.EditNoteDialog })),
  ),
  'edit-brand': lazy(() =>
    import('../screens/companies/edit-brand-dialog.tsx').then((module) => ({ default: module.EditBrandDialog })),
  ),
  'archive-company': lazy(() =>
    import('../screens/companies/archive-company-dialog.tsx').then((module) => ({ default: module.ArchiveCompanyDialog })),
  ),
  'restore-company': lazy(() =>
    import('../screens/companies/archive-company-dialog.tsx').then((module) => ({ default: module.RestoreCompanyDialog })),
  ),
  'delete-items': lazy(() =>
    import('../screens/shared/items/delete-items-dialog.tsx').then((module) => ({ default: module.DeleteItemsDialog })),
  ),
  'create-folder': lazy(() =>
    import('../screens/shared/items/create-folder-dialog.tsx').then((module) => ({ default: module.CreateFolderDialog })),
  ),
  'move-items': lazy(() =>
    import('../screens/shared/items/move-items-dialog.tsx').then((module) => ({ default: module.MoveItemsDialog })),
  ),
  'file-details': lazy(() =>
    import('../screens/shared/items/file-details.tsx').then((module) => ({ default: module.FileDetails })),
  ),
  'folder-details': lazy(() =>
    import('../screens/shared/items/folder-details.tsx').then((module) => ({ default: module.FolderDetails })),
  ),
  'suspend-user': lazy(() =>
    import('../screens/people/dialogs/suspend-user-dialog.tsx').then((module) => ({ default: module.SuspendUserDialog })),
  ),
  'hand-over-link': lazy(() =>
    import('../screens/links/dialogs/hand-over-dialog.tsx').then((module) => ({ default: module.HandOverDialog })),
  ),
  'create-provider': lazy(() =>
    import('../screens/settings/providers/provider-dialogs.tsx').then((module) => ({ default: module.CreateProviderDialog })),
  ),
  'edit-provider': lazy(() =>
    import('../screens/settings/providers/provider-dialogs.tsx').then((module) => ({ default: module.EditProviderDialog })),
  ),
  'delete-provider': lazy(() =>
    import('../screens/settings/providers/provider-dialogs.tsx').then((module) => ({ default: module.DeleteProviderDialog })),
  ),
}

/** Renders the component for the dialog’s kind. */
export function AnyDialog({ dialog, onClose }: { dialog: Dialog; onClose: () => void }) {
  const { kind, ...data } = dialog
  // The type of `components` makes sure that each component takes the data of its kind.
  const Component = components[kind] as ComponentType<{ onClose: () => void }>
  return <Component {...data} onClose={onClose} />
}
