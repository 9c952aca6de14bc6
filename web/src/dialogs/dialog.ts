import type { Company, DirectoryRow, FileRow, LinkRow, TokenRow, UploadRow, User, UserRow, WebhookRow } from '@neptune/contract'
import { createContext, use } from 'react'
import type { MenuItem } from '../components/menu-panel.tsx'
import type { Way } from '../features/mail/mail-words.ts'
import type { Clash } from '../features/upload/clashes.ts'
import type { PickedFile } from '../features/upload/picked-files.ts'
import type { Target } from '../features/upload/transfer.ts'

/** What the bar above every page offers: found by the dialog `find` as well. */
export interface Commands {
  pages: readonly { label: string; to: string }[]
  menu: readonly MenuItem[]
}

/** Every dialog there is, with what it needs to know. */
export type Dialog =
  | ({ kind: 'find' } & Commands)
  | { kind: 'keys' }
  | { kind: 'create-user' }
  | { kind: 'update-user'; user: UserRow }
  /** Of oneself it asks for the password. */
  | { kind: 'edit-details'; user: User }
  | { kind: 'create-company' }
  | { kind: 'rename-company'; company: Company }
  | { kind: 'send-test-mail'; way: Way | undefined }
  | { kind: 'create-directory'; company?: string; onCreated?: (created: DirectoryRow) => void }
  | { kind: 'rename-directory'; directory: DirectoryRow }
  | { kind: 'rename-file'; file: FileRow }
  /** A directory comes with its company; the files are those dropped on the page. */
  | { kind: 'upload-file'; company?: string; directory?: string; files?: readonly PickedFile[] }
  | { kind: 'upload-clash'; files: readonly PickedFile[]; target: Target; clashes: readonly Clash[] }
  | { kind: 'cancel-upload'; upload: UploadRow }
  /** A file comes with its directory, a directory with its company. */
  | { kind: 'create-link'; company?: string; directory?: string; file?: Pick<FileRow, 'id' | 'file_name'> }
  | { kind: 'reset-link'; link: LinkRow }
  /** With the code, where it is on the screen already. */
  | { kind: 'send-link'; link: LinkRow; accessCode?: string }
  | { kind: 'delete-links'; links: readonly LinkRow[] }
  | { kind: 'link-activity'; link: LinkRow }
  | { kind: 'create-token' }
  /** With its owner, if that is somebody else: then the dialog with all of theirs comes back. */
  | { kind: 'revoke-token'; token: TokenRow; owner?: UserRow }
  | { kind: 'user-tokens'; user: UserRow }
  | { kind: 'create-webhook'; company?: string }
  | { kind: 'edit-webhook'; webhook: WebhookRow }
  | { kind: 'delete-webhook'; webhook: WebhookRow }
  | { kind: 'deliveries'; webhook: WebhookRow }

export const DialogContext = createContext<(dialog: Dialog) => void>(() => {})

/** Opens a dialog. */
export const useDialog = () => use(DialogContext)
