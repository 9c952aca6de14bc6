import type { UserRow } from '@neptune/contract'
import { createContext, use } from 'react'

/** Every dialog there is, with what it needs to know. */
export type Dialog =
  | { kind: 'create-user' }
  | { kind: 'update-user'; user: UserRow }
  | { kind: 'create-company' }
  | { kind: 'send-test-mail' }

export const DialogContext = createContext<(dialog: Dialog) => void>(() => {})

/** Opens a dialog. */
export const useDialog = () => use(DialogContext)
