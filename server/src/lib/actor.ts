import type { CompanyAccess, LinkType, Role, TokenScope } from '@neptune/contract'
import { AppError } from './app-error.ts'

/** The caller of a request. The guard or a ticket in the URL identifies the caller; features decide what the caller may do. */
export type Actor =
  /** `isPaused`: a recipient whose link can't be opened right now. Their token works again once the link does. */
  | { kind: 'anonymous'; isPaused?: boolean }
  | {
      kind: 'staff'
      userId: string
      companyId: string
      role: Role
      /** Which companies the user may see, unless they are an admin. */
      access: CompanyAccess
      /** The id of the session or of the API token. */
      sessionId: string
      name: string
      /** Set if the request was made with an API token. */
      token?: { name: string; scope: TokenScope }
      /** Whether they confirmed their identity recently. API tokens can't do that, so they can't make sensitive calls. */
      isConfirmed?: boolean
      /** Whether they must set up a second factor before they can do anything else. */
      mustEnroll?: boolean
      /** The client address of the request; for work that outlives the request, the address of the sign-in. */
      client: string
    }
  | {
      kind: 'recipient'
      sessionId: string
      /** What the link gives access to, as of this request. */
      link: {
        key: string
        type: LinkType
        companyId: string
        directoryId: string
        /** Null for links to a directory, and to several files: see `sharesSeveralFiles`. */
        fileId: string | null
        /** The version of the file that the link is pinned to. Null for the current one. */
        version: string | null
      }
      /** Whether this is a staff member previewing the link as its recipient. */
      isPreview: boolean
      previewer: { userId: string; name: string } | undefined
      /** The client address of the request. */
      client: string
    }

export type Staff = Extract<Actor, { kind: 'staff' }>
export type Recipient = Extract<Actor, { kind: 'recipient' }>
/** A caller that may have access to files: staff, or the holder of a link's token. */
export type Reader = Staff | Recipient

/** Narrows the actor in handlers of endpoints that the guard opens to staff only. */
export function requireStaff(actor: Actor): Staff {
  if (actor.kind !== 'staff') throw new Error('The guard admitted a caller who is not staff')
  return actor
}

/** Throws `session.unconfirmed` if the caller must confirm their identity first. For calls that are sensitive only with some values. */
export function requireConfirmation({ isConfirmed }: Staff): void {
  if (!isConfirmed) throw new AppError('session.unconfirmed')
}

/** The companies whose data a caller may see. If both properties are undefined, all companies. */
export interface CompanyScope {
  /** The id of the only company. */
  company?: string | undefined
  /** The id of the user whose selected companies these are. */
  member?: string | undefined
}

/** Returns the companies that staff may see: all of them for admins; for users their own, selected ones, or all. */
export function getCompanyScope({ role, access, companyId, userId }: Staff): CompanyScope {
  if (role === 'NEPTUNE_ADMIN' || access === 'all') return {}
  return access === 'selected' ? { member: userId } : { company: companyId }
}

/** The scope of the server's own work, and of calls where a key or a code already gives access. */
export const allCompanies: CompanyScope = {}

export const includesAllCompanies = ({ company, member }: CompanyScope) => company === undefined && member === undefined

/** What people see instead of the name of an admin whose company they may not see. */
export const unnamedAdmin = 'An administrator'

/** Narrows the actor in handlers of endpoints that the guard opens to recipients only. */
export function requireRecipient(actor: Actor): Recipient {
  if (actor.kind !== 'recipient') throw new Error('The guard admitted a caller without a link')
  return actor
}

/** Narrows the actor in handlers of endpoints that the guard opens to both staff and recipients. */
export function requireReader(actor: Actor): Reader {
  if (actor.kind === 'anonymous') throw new Error('The guard admitted an anonymous caller')
  return actor
}

/** The rows an actor has access to, as ids for a `where` clause. If all of them are undefined, all rows, as for admins. */
export interface Reach extends CompanyScope {
  directory?: string | undefined
  file?: string | undefined
  /** The key of a link to several files: only these files are within reach, and no directory. */
  link?: string | undefined
}

/** Returns whether a link is one to several files, which the database lists. */
export const sharesSeveralFiles = ({ type, fileId }: Pick<Recipient['link'], 'type' | 'fileId'>): boolean =>
  type === 'LINK_FILE' && fileId === null

/** Returns which rows an actor has access to. */
export function getReach(actor: Reader): Reach {
  if (actor.kind === 'staff') return getCompanyScope(actor)
  const { type, key, companyId, directoryId, fileId } = actor.link
  // A file that was moved to another company is no longer shared.
  if (sharesSeveralFiles(actor.link)) return { company: companyId, link: key }
  return type === 'LINK_FILE' ? { directory: directoryId, file: fileId ?? '' } : { directory: directoryId }
}

/** What each type of link permits. Links permit nothing else. The files of a link to several files can be listed, too. */
const rights: Record<LinkType, readonly ('read' | 'list' | 'add')[]> = {
  LINK_FILE: ['read'],
  LINK_DIRECTORY: ['read', 'list'],
  LINK_EDITABLE_DIRECTORY: ['read', 'list', 'add'],
}

/** Throws `link.forbidden` if the recipient's link does not permit this. Staff may do it wherever they have access. */
export function requireRight(actor: Reader, right: 'list' | 'add'): void {
  if (actor.kind === 'staff') return
  const permitted = sharesSeveralFiles(actor.link) ? ['read', 'list'] : rights[actor.link.type]
  if (!permitted.includes(right) || (right === 'add' && actor.isPreview)) throw new AppError('link.forbidden')
}
