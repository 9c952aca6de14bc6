import type { LinkType, Role, TokenScope } from '@neptune/contract'
import { AppError } from './app-error.ts'

/** Who is calling. Features decide what an actor may do; only the guard decides who it is. */
export type Actor =
  | { kind: 'anonymous' }
  | {
      kind: 'staff'
      userId: string
      companyId: string
      role: Role
      /** The session's, or the token's. */
      sessionId: string
      name: string
      /** Set if it is a script that calls, by a token of theirs. */
      token?: { name: string; scope: TokenScope }
      /** Where they are; of what runs on after the request, where they signed in. */
      client: string
    }
  | {
      kind: 'recipient'
      sessionId: string
      /** All that the link's row says of what may be reached, as of this request. */
      link: { key: string; type: LinkType; companyId: string; directoryId: string; fileId: string | null }
      /** Staff who look at a link as its recipient would. */
      isPreview: boolean
      previewer: { userId: string; name: string } | undefined
      /** Where they are. */
      client: string
    }

export type Staff = Extract<Actor, { kind: 'staff' }>
export type Recipient = Extract<Actor, { kind: 'recipient' }>
/** Who may reach files: staff, or whoever holds a link's token. */
export type Reader = Staff | Recipient

/** For handlers of endpoints the guard opens to staff alone. */
export function requireStaff(actor: Actor): Staff {
  if (actor.kind !== 'staff') throw new Error('The guard let somebody in who is not staff')
  return actor
}

/** The one company somebody may see, or undefined for those who see all. */
export const visibleCompany = ({ role, companyId }: Staff) => (role === 'NEPTUNE_ADMIN' ? undefined : companyId)

/** For handlers of endpoints the guard opens to recipients alone. */
export function requireRecipient(actor: Actor): Recipient {
  if (actor.kind !== 'recipient') throw new Error('The guard let somebody in who has no link')
  return actor
}

/** For handlers of endpoints the guard opens to both. */
export function requireReader(actor: Actor): Reader {
  if (actor.kind === 'anonymous') throw new Error('The guard let somebody in whom nobody knows')
  return actor
}

/** What somebody may reach, as questions to the database ask it: by equal ids, and by nothing else. Admins have no bounds. */
export interface Reach {
  company?: string | undefined
  directory?: string | undefined
  file?: string | undefined
}

export function reachOf(actor: Reader): Reach {
  if (actor.kind === 'staff') return { company: visibleCompany(actor) }
  const { type, directoryId, fileId } = actor.link
  return type === 'LINK_FILE' ? { directory: directoryId, file: fileId ?? '' } : { directory: directoryId }
}

/** What a link is good for. Whatever is not named here, no link may do. */
const rights: Record<LinkType, readonly ('read' | 'list' | 'add')[]> = {
  LINK_FILE: ['read'],
  LINK_DIRECTORY: ['read', 'list'],
  LINK_EDITABLE_DIRECTORY: ['read', 'list', 'add'],
}

/** Refuses what a link is not good for. Staff may do all of it, within their reach. */
export function requireRight(actor: Reader, right: 'list' | 'add'): void {
  if (actor.kind === 'staff') return
  if (!rights[actor.link.type].includes(right) || (right === 'add' && actor.isPreview)) throw new AppError('link.forbidden')
}
