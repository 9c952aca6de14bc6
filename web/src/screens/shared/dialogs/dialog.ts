import type {
  Company,
  CompanyDetails,
  CompanyRow,
  DirectoryRow,
  FileRow,
  LinkAsk,
  LinkRow,
  ProviderRow,
  TokenRow,
  UploadRow,
  User,
  UserRow,
  WebhookRow,
} from '@neptune/contract'
import { createContext, use } from 'react'
import type { MenuItem } from '../../../components/menu/menu-panel.tsx'
import type { Shared } from '../../../features/link/use-share.ts'
import type { MailWay } from '../../../features/mail/mail-texts.ts'
import type { Clash } from '../../../features/upload/files/name-clashes.ts'
import type { Picked } from '../../../features/upload/files/picked-files.ts'
import type { UploadTarget } from '../../../features/upload/state/upload-job.ts'
import type { Items } from '../items/item.ts'

/** The pages and menu items of the top bar, which the `find` dialog offers as well. */
export interface Commands {
  pages: readonly { label: string; to: string }[]
  menu: readonly MenuItem[]
}

/** Every dialog, with its data. */
export type Dialog =
  | ({ kind: 'find' } & Commands)
  | { kind: 'keys' }
  /** `company` is preselected. */
  | { kind: 'create-user'; company?: string }
  | { kind: 'update-user'; user: UserRow }
  | { kind: 'change-access'; user: UserRow }
  | { kind: 'reset-password'; user: UserRow }
  | { kind: 'remove-factor'; user: UserRow }
  | { kind: 'suspend-user'; user: UserRow }
  /** Asks for the password if the user edits their own details. */
  | { kind: 'edit-details'; user: User & Partial<Pick<UserRow, 'invitation_ends_at'>> }
  | { kind: 'revoke-invitation'; user: UserRow }
  /** With `onCreated`, it opens on top of the dialog in which the company is chosen. */
  | { kind: 'create-company'; onCreated?: (created: Company) => void }
  | { kind: 'rename-company'; company: Pick<Company, 'id' | 'name'> }
  | { kind: 'set-quota'; company: CompanyRow }
  | { kind: 'edit-note'; company: Pick<CompanyDetails, 'id' | 'name'> }
  | { kind: 'edit-brand'; company: Pick<CompanyDetails, 'id' | 'name'> }
  | { kind: 'archive-company'; company: CompanyRow }
  | { kind: 'restore-company'; company: CompanyRow }
  | { kind: 'send-test-mail'; way: MailWay | undefined }
  | { kind: 'create-directory'; company?: string; onCreated?: (created: DirectoryRow) => void }
  | { kind: 'rename-directory'; directory: DirectoryRow }
  | { kind: 'rename-file'; file: FileRow }
  | { kind: 'delete-items'; items: Items }
  | { kind: 'create-folder'; parent: Pick<DirectoryRow, 'id' | 'directory'> }
  | { kind: 'move-items'; items: Items; mode: 'move' | 'copy' }
  | { kind: 'file-details'; file: FileRow }
  | { kind: 'folder-details'; folder: DirectoryRow }
  /** `directory` requires `company`. `picked` was dropped on the page. */
  | { kind: 'upload-file'; company?: string; directory?: string; picked?: Picked }
  | { kind: 'upload-clash'; picked: Picked; target: UploadTarget; clashes: readonly Clash[] }
  | { kind: 'cancel-upload'; upload: UploadRow }
  /** `directory` requires `company`. */
  | { kind: 'create-link'; company?: string; directory?: string }
  /** Shares `files` of a directory or folder. Without `files`, shares the directory or folder itself, and shows its `name`. */
  | { kind: 'share'; company: string; directory: string; name?: string; files?: readonly Pick<FileRow, 'id' | 'file_name'>[] }
  | ({ kind: 'shared' } & Shared)
  | { kind: 'reset-link'; link: LinkRow }
  | { kind: 'new-code'; request: LinkAsk }
  | { kind: 'grant-time'; request: LinkAsk }
  | { kind: 'extend-link'; link: LinkRow }
  /** `accessCode` is set if the screen already shows it. */
  | { kind: 'send-link'; link: LinkRow; accessCode?: string }
  | { kind: 'delete-links'; links: readonly LinkRow[] }
  | { kind: 'link-details'; link: LinkRow }
  | { kind: 'hand-over-link'; link: LinkRow }
  | { kind: 'create-token' }
  /** `owner` is set for another user's token. The dialog returns to the list of that user's tokens if it was opened there. */
  | { kind: 'revoke-token'; token: TokenRow; owner?: UserRow; returnsToList?: true }
  | { kind: 'user-tokens'; user: UserRow }
  | { kind: 'end-sessions'; user: UserRow }
  | { kind: 'remove-user'; user: UserRow }
  | { kind: 'create-webhook'; company?: string }
  | { kind: 'edit-webhook'; webhook: WebhookRow }
  | { kind: 'delete-webhook'; webhook: WebhookRow }
  | { kind: 'deliveries'; webhook: WebhookRow }
  | { kind: 'create-provider' }
  | { kind: 'edit-provider'; provider: ProviderRow }
  | { kind: 'delete-provider'; provider: ProviderRow }

export const DialogContext = createContext<(dialog: Dialog) => void>(() => {})

/** Returns a function that opens a dialog. */
export const useDialog = () => use(DialogContext)
